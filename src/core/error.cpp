#include "warpseed/error.hpp"

#include <cstring>

namespace warpseed {

IoError IoError::from_errno(std::string_view doing, std::string_view path, int error_number) {
  return IoError("cannot " + std::string(doing) + " " + std::string(path) + ": " + std::strerror(error_number));
}

}  // namespace warpseed
