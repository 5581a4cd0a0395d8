#include "core/stale_files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/output_file.hpp"
#include "core/temp_folder.hpp"

namespace warpseed {

namespace fs = std::filesystem;
using test::TempFolder;

namespace {

/// The number of a process that has existed and is gone.
pid_t dead_process() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return child;
}

/// The name of an unfinished file of "x.bam" by a process of this host.
std::string name_of(pid_t process) {
  return unfinished_prefix("x.bam") + std::to_string(process);
}

}  // namespace

TEST_CASE("unfinished files of dead processes are removed, with their names returned", "[core][output]") {
  const TempFolder folder;
  const std::string path = folder.file("x.bam");
  CHECK(remove_stale_files(path).empty());
  const std::string stale = folder.write(name_of(dead_process()), "a part");
  fs::create_symlink("x.bam", folder.file("link"));
  CHECK(remove_stale_files(folder.file("link")) == std::vector{stale});
  CHECK(folder.names() == std::vector<std::string>{"link"});
}

TEST_CASE("what an unfinished picture is made from goes with it", "[core][output]") {
  const TempFolder folder;
  const std::string stale = folder.write(name_of(dead_process()), ""), svg = stale + ".svg";
  folder.write(fs::path(svg).filename().string(), "a part");
  CHECK(remove_stale_files(folder.file("x.bam")) == std::vector{stale, svg});
  CHECK(folder.names().empty());
}

TEST_CASE("no other file is removed", "[core][output]") {
  const TempFolder folder;
  const std::string path = folder.write("x.bam", "whole");
  const pid_t dead = dead_process();
  const std::string number = std::to_string(dead);
  folder.write(name_of(getpid()), "");
  folder.write(name_of(getppid()), "");
  folder.write("x.bam.unfinished." + number, "");             // no host
  folder.write("x.bam.unfinished.other-host." + number, "");  // its processes are not known here
  folder.write(name_of(dead) + ".txt", "");
  folder.write(name_of(dead) + ".svg", "");  // without its picture
  folder.write(name_of(dead) + "x", "");
  folder.write(unfinished_prefix("x.bam"), "");
  folder.write(unfinished_prefix("x.bam") + "-1", "");
  folder.write(unfinished_prefix("x.bam") + "99999999999999999999", "");
  folder.write(unfinished_prefix("y.bam") + number, "");  // of another output
  fs::create_directory(folder.file(name_of(dead)));
  const std::vector<std::string> before = folder.names();
  CHECK(remove_stale_files(path).empty());
  CHECK(remove_stale_files("/dev/null").empty());
  CHECK(remove_stale_files("-").empty());
  CHECK(remove_stale_files("").empty());
  CHECK(remove_stale_files(folder.file("none/x.bam")).empty());
  CHECK(folder.names() == before);
  fs::remove(folder.file(name_of(dead)));
  fs::create_symlink("x.bam", folder.file(name_of(dead)));
  CHECK(remove_stale_files(path).empty());
  CHECK(folder.names() == before);
}

TEST_CASE("a locked file stays, whatever its process", "[core][output]") {
  const TempFolder folder;
  const std::string stale = folder.write(name_of(dead_process()), "of a process in another container");
  const int descriptor = open(stale.c_str(), O_WRONLY | O_CLOEXEC);
  REQUIRE(descriptor >= 0);
  lock_unfinished_file(descriptor);
  CHECK(remove_stale_files(folder.file("x.bam")).empty());
  close(descriptor);
  CHECK(remove_stale_files(folder.file("x.bam")) == std::vector{stale});
}

TEST_CASE("a pending file is locked until it is complete", "[core][output]") {
  const TempFolder folder;
  const auto is_locked = [](const std::string& path) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    REQUIRE(descriptor >= 0);
    const bool locked = flock(descriptor, LOCK_EX | LOCK_NB) != 0;
    close(descriptor);
    return locked;
  };
  PendingFile pending(folder.file("x.bam"));
  CHECK(is_locked(pending.writing_path()));
  pending.commit();
  CHECK(!is_locked(folder.file("x.bam")));
}

}  // namespace warpseed
