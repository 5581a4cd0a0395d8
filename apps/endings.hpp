// How the program ends: a message, an exit code, no unfinished file, no thread that still runs.
#pragma once

#include <string_view>

namespace warpseed::cli {

/// Prints the exception that is being handled as a line that begins with `program`, and ends the program with exit code 2
/// for an InputError, 1 for others. Of several threads only the first prints, and its exit code is the program's.
[[noreturn]] void end_with_report(std::string_view program) noexcept;

/// Ends oneTBB's threads after a command, so that none uses what exit() destroys, and returns `code`, the program's exit
/// code. A thread that begins so late may lack memory: the work is done, and no error of it counts. Does not return, but ends
/// the program, if a thread reported an error before, with its exit code, or if not all of them could be ended.
int end_threads(int code) noexcept;

/// Exceptions that no function handles, as of oneTBB's own threads, are reported as those are; signals that end the
/// program remove its unfinished files. Call it once.
void handle_endings();

}  // namespace warpseed::cli
