// What a user is told of an exception.
#pragma once

#include <exception>
#include <string>

namespace warpseed {

/// One line with cause and remedy. The library's own exceptions have both; std::system_error and
/// std::filesystem::filesystem_error, and what oneTBB throws where it gets no thread, tell the system's words alone.
std::string error_report(const std::exception& error);

}  // namespace warpseed
