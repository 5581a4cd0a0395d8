#include "core/output_file.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "core/temp_folder.hpp"
#include "core/unfinished_files.hpp"
#include "message_of.hpp"
#include "warpseed/error.hpp"

namespace {

/// Records what a thread syncs during its lifetime, and sets the error for folders.
struct SyncLog {
  int folder_error = 0;
  std::string order = {};  // f: a file, d: a folder

  explicit SyncLog(int error = 0);
  ~SyncLog();
};

thread_local SyncLog* sync_log = nullptr;

SyncLog::SyncLog(int error) : folder_error(error) {
  sync_log = this;
}
SyncLog::~SyncLog() {
  sync_log = nullptr;
}

}  // namespace

/// Replaces the C library's function in this program.
extern "C" int fsync(int descriptor) {
  struct stat info = {};
  const bool folder = fstat(descriptor, &info) == 0 && S_ISDIR(info.st_mode);
  if (sync_log) sync_log->order += folder ? 'd' : 'f';
  if (sync_log && folder && sync_log->folder_error != 0) {
    errno = sync_log->folder_error;
    return -1;
  }
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

namespace warpseed {

namespace fs = std::filesystem;
using test::content_of;
using test::message_of;
using test::TempFolder;

TEST_CASE("a file appears under its name only on commit", "[core][output]") {
  const TempFolder folder;
  const std::string path = folder.file("out.txt");
  OutputFile out(path);
  out.write("abc");
  const int number = 0x44434241;
  out.write(&number, 4);
  CHECK(out.written() == 7);
  CHECK(!fs::exists(path));
  out.commit();
  CHECK(content_of(path) == "abcABCD");
  CHECK(folder.names().size() == 1);
}

TEST_CASE("a file is synced before it gets its name, its folder after that", "[core][output]") {
  const TempFolder folder;
  const auto write = [](const std::string& path) {
    OutputFile out(path);
    out.write("abc");
    out.commit();
  };
  {
    SyncLog log;
    write(folder.file("out.txt"));
    CHECK(log.order == "fd");
  }
  for (const int unsupported : {EINVAL, EOPNOTSUPP}) {
    SyncLog log(unsupported);
    write(folder.file("unsupported"));
    CHECK(log.order == "fd");
  }
  SyncLog log(EIO);
  const std::string failed = folder.file("failed");
  CHECK(message_of<IoError>([&] { write(failed); }) ==
        "cannot synchronise the folder of " + failed + ": Input/output error");
  CHECK(content_of(failed) == "abc");
  CHECK(folder.names().size() == 3);
}

TEST_CASE("an empty name is rejected", "[core][output]") {
  CHECK(message_of<InputError>([] { const OutputFile out(""); }) == "the name of an output is empty; name a file");
}

TEST_CASE("an unfinished file is removed, and an older file of its name stays", "[core][output]") {
  const TempFolder folder;
  const std::string path = folder.write("out.txt", "before");
  {
    OutputFile out(path);
    out.write("after");
  }
  CHECK(content_of(path) == "before");
  CHECK(folder.names().size() == 1);
  OutputFile out(path);
  out.write("after");
  out.commit();
  CHECK(content_of(path) == "after");
}

TEST_CASE("an unfinished file of an earlier run is overwritten", "[core][output]") {
  const TempFolder folder;
  const std::string path = folder.file("out.txt");
  folder.write(fs::path(unfinished_path(path)).filename().string(), "much longer than what comes");
  OutputFile out(path);
  out.write("short");
  out.commit();
  CHECK(content_of(path) == "short");
  CHECK(folder.names().size() == 1);
}

TEST_CASE("a pending file without a commit leaves nothing", "[core][output]") {
  const TempFolder folder;
  {
    const PendingFile pending(folder.file("x.bam"));
    CHECK(fs::exists(pending.writing_path()));
    CHECK(pending.writing_path() != pending.path());
  }
  CHECK(folder.names().size() == 0);
}

namespace {

/// Pieces of sizes that fit no page, about 12 MB in all; each has its number at its begin.
std::vector<std::string> uneven_pieces() {
  std::vector<std::string> pieces(200);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    pieces[i].assign(1 + (i * 7919) % 120'000, static_cast<char>('a' + i % 26));
    pieces[i].insert(0, std::to_string(i));
  }
  return pieces;
}

/// A folder on the file system of temporary files, and one in memory, which reserve space in different ways.
std::vector<std::string> folders_to_write() {
  std::vector<std::string> folders = {fs::temp_directory_path().string()};
  if (fs::is_directory("/dev/shm") && access("/dev/shm", W_OK) == 0) folders.emplace_back("/dev/shm");
  return folders;
}

}  // namespace

TEST_CASE("pieces that several threads copy are in order between what is written before and after", "[core][output]") {
  const std::string path = GENERATE(from_range(folders_to_write())) + "/warpseed-pieces-" + std::to_string(getpid());
  const std::uint64_t ahead = GENERATE(0, 1, 100'000);  // of what is written
  CAPTURE(path, ahead);
  const std::vector<std::string> pieces = uneven_pieces();
  std::string wanted;
  {
    OutputFile out(path);
    for (int round = 0; round < 3; ++round) {
      out.write("between ");
      std::uint64_t bytes = 0;
      for (const std::string& piece : pieces) bytes += piece.size();
      const std::optional<ReservedRange> room = out.reserve(out.written() + ahead, bytes);
      out.write(std::string(ahead, '-'));
      wanted += "between " + std::string(ahead, '-');
      for (const std::string& piece : pieces) {
        wanted += piece;
        if (!room) out.write(piece);
      }
      if (room) out.skip(bytes), room->fill(pieces);
      CHECK(out.written() == wanted.size());
    }
    out.write("end");
    out.commit();
  }
  CHECK((content_of(path) == wanted + "end"));
  fs::remove(path);
}

TEST_CASE("a pipe has no room to reserve", "[core][output]") {
  const TempFolder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  std::string read;
  std::thread reader([&] { read = content_of(pipe); });
  {
    OutputFile out(pipe);
    CHECK_FALSE(out.reserve(0, 1 << 20));
    out.commit();
  }
  reader.join();
  CHECK(read.empty());
}

TEST_CASE("no space for pieces that several threads copy is an error that names the file", "[core][output]") {
  const TempFolder folder;
  rlimit before = {};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {5 << 20, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const std::string message = message_of<IoError>([&] {
    OutputFile out(folder.file("out"));
    if (out.reserve(0, 12 << 20)) return;
    for (const std::string& piece : uneven_pieces()) out.write(piece);  // where threads cannot copy
  });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  CHECK(message.find(folder.file("out")) != std::string::npos);
  CHECK(folder.names().empty());
}

TEST_CASE("a full disk is an error that names the file", "[core][output]") {
  if (!fs::exists("/dev/full")) {
    WARN("skipped: there is no /dev/full here");
    return;
  }
  const std::string large(4 << 20, 'x');
  CHECK(message_of<IoError>([&] { OutputFile("/dev/full").write(large); }).find("/dev/full") != std::string::npos);
  CHECK_THROWS_AS(
      [] {
        OutputFile out("/dev/full");
        out.write("little");  // stays in the buffer
        out.commit();
      }(),
      IoError);
  CHECK(fs::is_character_file("/dev/full"));
}

TEST_CASE("invalid outputs are rejected at once", "[core][output]") {
  const TempFolder folder;
  const std::string absent = folder.file("no/such/folder/out.txt");
  CHECK(message_of<IoError>([&] { const OutputFile out(absent); }).find(absent) != std::string::npos);
  const std::string is_folder = folder.file("");
  CHECK(message_of<IoError>([&] { const OutputFile out(is_folder); }).find("directory") != std::string::npos);
  const std::string below_file = folder.write("plain", "") + "/out.txt";
  CHECK_THROWS_AS(OutputFile(below_file), IoError);
}

TEST_CASE("a folder without write permission is rejected", "[core][output]") {
  if (geteuid() == 0) {
    WARN("skipped: root may write everywhere");
    return;
  }
  const TempFolder folder;
  fs::create_directory(folder.file("closed"));
  fs::permissions(folder.file("closed"), fs::perms::owner_read | fs::perms::owner_exec);
  CHECK_THROWS_AS(OutputFile(folder.file("closed/out.txt")), IoError);
}

TEST_CASE("devices are written in place", "[core][output]") {
  OutputFile out("/dev/null");
  out.write("abc");
  out.commit();
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("the target of a symbolic link is written", "[core][output]") {
  const TempFolder folder;
  fs::create_directory(folder.file("far"));
  const std::string target = folder.write("far/target", "before");
  fs::create_symlink("far/target", folder.file("near"));
  fs::create_symlink(folder.file("near"), folder.file("nearer"));
  fs::create_symlink("far/new", folder.file("dangling"));
  for (const auto& [name, written] : {std::pair("nearer", target), std::pair("dangling", folder.file("far/new"))}) {
    OutputFile out(folder.file(name));
    out.write("after");
    out.commit();
    CHECK(content_of(written) == "after");
    CHECK(fs::is_symlink(folder.file(name)));
  }
  CHECK(folder.names().size() == 4);
  fs::create_symlink("circle", folder.file("circle"));
  CHECK_THROWS_AS(OutputFile(folder.file("circle")), IoError);
}

TEST_CASE("an error reports a name that is too long for the system", "[core][output]") {
  const TempFolder folder;
  const std::string name(300, 'x');
  CHECK(message_of<IoError>([&] { const OutputFile out(folder.file(name)); }).find(name) != std::string::npos);
}

TEST_CASE("remove_unfinished_files() removes unfinished files, not finished ones or others", "[core][output]") {
  const TempFolder folder;
  const std::string kept = folder.write("kept", "x");
  OutputFile done(folder.file("done")), open(folder.file("open"));
  done.write("content");
  done.commit();
  { const PendingFile gone(folder.file("gone")); }
  const PendingFile index(folder.file("index"));
  REQUIRE(folder.names().size() == 4);
  remove_unfinished_files();
  CHECK(folder.names().size() == 2);
  CHECK(content_of(folder.file("done")) == "content");
  CHECK(content_of(kept) == "x");
}

TEST_CASE("of a process that ends by itself no file is left that another thread creates at that time",
          "[core][output]") {
#ifdef WS_SANITIZED
  WARN("skipped: with a sanitizer a process that forks can have no threads");
#else
  const TempFolder folder;
  for (int round = 0; round < 100; ++round) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      std::thread([&] {
        for (;;) const PendingFile one(folder.file("one"));
      }).detach();
      std::this_thread::sleep_for(std::chrono::microseconds(500 + 10 * round));
      end_file_creation();
      remove_unfinished_files();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      _exit(0);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(status == 0);
    REQUIRE(folder.names().empty());
  }
#endif
}

TEST_CASE("of a process that ends by itself no file is left that a child of it writes", "[core][output]") {
  const TempFolder folder;
  const std::string path = folder.file("late"), command = "sleep 0.1; echo x >" + path;
  const pid_t process = fork();
  REQUIRE(process >= 0);
  if (process == 0) {
    UnfinishedFile late;
    late.note(path);
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(1);
    }
    const WritingChild writing(child);
    end_file_creation();
    remove_unfinished_files();
    _exit(0);
  }
  int status = -1;
  REQUIRE(waitpid(process, &status, 0) == process);
  REQUIRE(status == 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  CHECK(folder.names().empty());
}

TEST_CASE("more unfinished files than can be registered, one after the other and at once", "[core][output]") {
  const TempFolder folder;
  for (int i = 0; i < 100; ++i) const PendingFile one(folder.file("one"));
  std::deque<PendingFile> many;
  for (int i = 0; i < 40; ++i) many.emplace_back(folder.file(std::to_string(i)));
  CHECK(folder.names().size() == 40);
  many.clear();
  CHECK(folder.names().size() == 0);
  const PendingFile again(folder.file("again"));
  remove_unfinished_files();
  CHECK(folder.names().size() == 0);
}

}  // namespace warpseed
