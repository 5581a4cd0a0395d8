#include "core/file_identity.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "catch.hpp"
#include "core/temp_folder.hpp"

using namespace warpseed;

namespace fs = std::filesystem;

TEST_CASE("two spellings of one file are one file", "[core][identity]") {
  const test::TempFolder folder;
  fs::create_directory(folder.file("sub"));
  const std::string path = folder.write("a.fq", "x"), other = folder.write("b.fq", "x");
  fs::create_symlink("a.fq", folder.file("link"));
  fs::create_symlink("link", folder.file("link_to_link"));
  fs::create_hard_link(path, folder.file("hard"));
  for (const char* spelling : {"./a.fq", "sub/../a.fq", "link", "link_to_link", "hard"}) {
    CHECK(input_identity(folder.file(spelling)) == input_identity(path));
    CHECK(output_identity(folder.file(spelling)) == input_identity(path));
  }
  CHECK(input_identity(other) != input_identity(path));
}

TEST_CASE("a file that does not exist yet is identified by its future path", "[core][identity]") {
  const test::TempFolder folder;
  fs::create_directory(folder.file("sub"));
  fs::create_directory_symlink("sub", folder.file("to_sub"));
  fs::create_symlink("sub/new", folder.file("dangling"));
  const FileIdentity made = output_identity(folder.file("sub/new"));
  for (const char* spelling : {"./sub/new", "to_sub/new", "dangling"}) {
    CHECK(output_identity(folder.file(spelling)) == made);
  }
  CHECK(output_identity(folder.file("new")) != made);
  CHECK(output_identity("new") == output_identity("./new"));
  CHECK(output_identity("new") == output_identity((fs::current_path() / "new").string()));
}

TEST_CASE("pipes are streams, files and devices are not", "[core][identity]") {
  const test::TempFolder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(input_identity(pipe).is_stream());
  CHECK(!input_identity(folder.write("file", "")).is_stream());
  CHECK(!input_identity("/dev/null").is_stream());
  CHECK(!input_identity(folder.file("missing")).is_stream());
}

TEST_CASE("links are followed to missing targets, and loops end", "[core][identity]") {
  const test::TempFolder folder;
  fs::create_symlink("missing", folder.file("dangling"));
  fs::create_symlink("circle", folder.file("circle"));
  CHECK(link_target(folder.file("dangling")) == folder.file("missing"));
  CHECK(link_target(folder.file("plain")) == folder.file("plain"));
  CHECK(link_target(folder.file("circle")).empty());
}
