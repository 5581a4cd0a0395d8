// The message that a user gets for an exception.
#pragma once

#include <exception>
#include <string>

namespace warpseed {

/// One line with cause and remedy. The library's own exceptions contain both; to those of the system
/// (std::system_error, std::filesystem::filesystem_error, oneTBB's when it cannot create a thread) the remedy is added.
std::string error_report(const std::exception& error);

}  // namespace warpseed
