// The message of an exception.
#pragma once

#include <string>

namespace warpseed::test {

/// The message of the Error that `work` throws; empty if it throws nothing. Other exceptions pass through.
template <class Error, class Work>
std::string message_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace warpseed::test
