// Items and pieces of a file written by a background thread: their order, errors, and a caller that stops early.
#include "core/background_writer.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "core/piece_writer.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

TEST_CASE("items are written in order, all of them by finish()", "[core][background]") {
  const int count = GENERATE(0, 1, 2, 1000);
  CAPTURE(count);
  std::vector<int> written;
  BackgroundWriter<int> writer([&](int& item) { written.push_back(item); });
  for (int i = 0; i < count; ++i) {
    int item = i;
    writer.write(item);
  }
  writer.finish();
  REQUIRE(written.size() == static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) CHECK(written[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("write() returns the previous item, and only one item is pending", "[core][background]") {
  std::atomic<int> begun = 0, finished = 0;
  BackgroundWriter<std::vector<int>> writer([&](std::vector<int>&) {
    ++begun;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++finished;
  });
  for (int i = 0; i < 20; ++i) {
    std::vector<int> item(5, i);
    writer.write(item);
    REQUIRE(finished >= i);  // all before this one
    REQUIRE(item == (i == 0 ? std::vector<int>() : std::vector<int>(5, i - 1)));
  }
  writer.finish();
  CHECK((begun == 20 && finished == 20));
}

TEST_CASE("a failed write reaches the caller at the next write() and at finish()", "[core][background]") {
  int written = 0;
  BackgroundWriter<int> writer([&](int& item) {
    if (item == 2) throw std::runtime_error("disk full");
    ++written;
  });
  const auto write_all = [&] {
    for (int i = 0; i < 100; ++i) {
      int item = i;
      writer.write(item);
    }
  };
  CHECK_THROWS_WITH(write_all(), "disk full");
  CHECK_THROWS_WITH(write_all(), "disk full");
  CHECK_THROWS_WITH(writer.finish(), "disk full");
  CHECK(written == 2);
}

TEST_CASE("a writer is busy until an item is written, but not after a failure", "[core][background]") {
  std::atomic<bool> end{false};
  BackgroundWriter<int> writer([&](int& item) {
    while (!end) std::this_thread::yield();
    if (item == 1) throw std::runtime_error("disk full");
  });
  CHECK_FALSE(writer.busy());
  int item = 1;
  writer.write(item);
  CHECK(writer.busy());
  end = true;
  while (writer.busy()) std::this_thread::yield();
  item = 2;
  CHECK_THROWS_WITH(writer.write(item), "disk full");
}

TEST_CASE("a failed last write is reported by finish(), and lost without it", "[core][background]") {
  const auto fail = [](int&) { throw std::runtime_error("disk full"); };
  int item = 0;
  BackgroundWriter<int> writer(fail), left(fail);
  writer.write(item), left.write(item);
  CHECK_THROWS_WITH(writer.finish(), "disk full");
}

TEST_CASE("items are written if the caller destroys the writer without finish()", "[core][background]") {
  for (int repeat = 0; repeat < 200; ++repeat) {
    int written = 0;
    {
      BackgroundWriter<int> writer([&](int& item) { written += item; });
      for (int i = 1; i <= 3; ++i) {
        int item = i;
        writer.write(item);
      }
    }
    REQUIRE(written == 6);
  }
}

TEST_CASE("pieces of a file come after its start, the first `count` of each call", "[core][background]") {
  const int calls = GENERATE(0, 1, 50);
  CAPTURE(calls);
  const test::TempFolder folder;
  OutputFile file(folder.file("out"));
  std::string wanted = "start\n";
  {
    PieceWriter writer(file);
    writer.begin_with("start\n");
    std::vector<std::string> pieces;
    for (int i = 0; i < calls; ++i) {
      pieces.assign({std::to_string(i), ",", "not this one"});
      wanted += std::to_string(i) + ",";
      writer.write(pieces, 2);
    }
    writer.finish();
  }
  file.commit();
  CHECK(test::content_of(folder.file("out")) == wanted);
}

TEST_CASE("pieces of many threads follow each other, whoever copies them", "[core][background]") {
  const int depth = GENERATE(1, 3);
  CAPTURE(depth);
  const test::TempFolder folder;
  OutputFile file(folder.file("out"));
  std::string wanted = "start\n";
  {
    PieceWriter writer(file, 16, depth);
    writer.begin_with("start\n");
    std::vector<std::pair<ReservedRange, std::vector<std::string>>> rooms;  // filled later, the last one first
    for (int i = 0; i < 40; ++i) {
      std::vector<std::string> pieces;
      for (int k = 0; k < 30; ++k)
        pieces.emplace_back(i % 5 == 0 ? 100 : 200'000 + i + k, static_cast<char>('a' + (i + k) % 26));
      for (const std::string& piece : pieces) wanted += piece;
      if (i % 3 == 0)
        writer.write(pieces, pieces.size());
      else if (auto room = writer.write_or_reserve(pieces, pieces.size()))
        rooms.emplace_back(std::move(*room), std::move(pieces));
    }
    for (auto room = rooms.rbegin(); room != rooms.rend(); ++room) room->first.fill(room->second);
    writer.finish();
  }
  file.commit();
  CHECK((test::content_of(folder.file("out")) == wanted));
}

TEST_CASE("a full disk reaches the caller of a piece writer", "[core][background]") {
  OutputFile file("/dev/full");
  PieceWriter writer(file);
  const auto write_all = [&] {
    for (int i = 0; i < 100; ++i) {
      std::vector<std::string> pieces(3, std::string(1 << 20, 'x'));
      writer.write(pieces, pieces.size());
    }
    writer.finish();
  };
  CHECK(test::message_of<IoError>(write_all).find("/dev/full") != std::string::npos);
}

}  // namespace warpseed
