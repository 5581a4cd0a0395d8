#include "core/anonymous_file.hpp"

#include <filesystem>
#include <vector>

#include "catch.hpp"
#include "core/parallel.hpp"
#include "core/temp_folder.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;

TEST_CASE("an anonymous file returns what many threads appended, and leaves nothing", "[core][nameless]") {
  const test::TempFolder folder;
  {
    AnonymousFile file(folder.file("out.bam"), "for tests");
    constexpr std::uint64_t pieces = 200;
    const auto piece = [](std::uint64_t i) { return std::vector<std::byte>(i * 37 % 5000, std::byte(i)); };
    std::vector<std::uint64_t> offsets(pieces);
    for_blocks(4, pieces, 1, [&](std::uint64_t i, std::uint64_t) { offsets[i] = file.append(piece(i)); });
    for (std::uint64_t i = 0; i < pieces; ++i) {
      std::vector<std::byte> got(piece(i).size());
      file.read(offsets[i], got);
      CHECK(got == piece(i));
    }
    CHECK(folder.names().empty());
    std::byte beyond[1];
    CHECK_THROWS_AS(file.read(std::uint64_t{1} << 30, beyond), IoError);
  }
  CHECK(folder.names().empty());
}

TEST_CASE("an anonymous file is next to the output, or in the folder of temporary files", "[core][nameless]") {
  const test::TempFolder folder;
  const std::string temporary = std::filesystem::temp_directory_path().string();
  CHECK(AnonymousFile(folder.file("out.bam"), "for tests").name() ==
        "a temporary file for tests in " + std::filesystem::path(folder.file("x")).parent_path().string());
  CHECK(AnonymousFile("-", "for tests").name() == "a temporary file for tests in " + temporary);
  CHECK(AnonymousFile("/dev/null", "for tests").name() == "a temporary file for tests in " + temporary);
  CHECK(AnonymousFile("-", "for tests", folder.file("")).name() == "a temporary file for tests in " + folder.file(""));
  const std::string missing = folder.file("none");
  CHECK_THROWS_WITH(AnonymousFile(folder.file("out.bam"), "for tests", missing),
                    "cannot make a temporary file in " + missing + ": No such file or directory");
  CHECK_THROWS_WITH(AnonymousFile(missing + "/out.bam", "for tests"),
                    "cannot make a temporary file in " + missing + ": No such file or directory");
}
