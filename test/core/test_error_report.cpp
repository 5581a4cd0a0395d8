// Messages for exceptions that are not the library's.
#include "core/error_report.hpp"

#include <filesystem>
#include <system_error>

#include "catch.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;

TEST_CASE("the system's exceptions are reported with a remedy", "[core]") {
  namespace fs = std::filesystem;
  const std::system_error no_thread(std::make_error_code(std::errc::resource_unavailable_try_again));
  CHECK(error_report(no_thread).find("use fewer threads (-t)") != std::string::npos);
  CHECK(error_report(std::runtime_error("pthread_create has failed: Resource temporarily unavailable")) ==
        error_report(no_thread));

  const fs::filesystem_error one("cannot get file size", "a/b.fa", std::make_error_code(std::errc::permission_denied));
  CHECK(error_report(one) == "cannot use a/b.fa: Permission denied; check the path, and the rights to it");
  const fs::filesystem_error two("cannot rename", "a.tmp", "a", std::make_error_code(std::errc::read_only_file_system));
  CHECK(error_report(two).find("a.tmp and a: Read-only file system; ") != std::string::npos);

  const std::system_error other(std::make_error_code(std::errc::too_many_files_open), "pipe");
  CHECK(error_report(other).find("pipe: Too many open files; ") != std::string::npos);
}

TEST_CASE("the library's own exceptions are reported unchanged", "[core]") {
  CHECK(error_report(InputError("reads.fq:8: cut")) == "reads.fq:8: cut");
}
