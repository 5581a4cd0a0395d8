// Merges the header lines of several files of reads.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reads/read_source.hpp"

namespace warpseed::reads {

/// Lines stay in the order in which they were added; equal ones are kept once.
class LaneHeaders {
 public:
  /// Returns the group's number, from 1. name: the file, for messages. Throws InputError if another line has its ID.
  std::uint32_t add_read_group(const std::string& line, const std::string& name);

  /// All @PG lines of one file. One whose ID another line has gets the first free ID.1, ID.2 and so on, as in
  /// samtools merge, and PP of the lines that follow it in the same file says so.
  void add_programs(const std::vector<std::string>& lines);
  void add_comments(const std::vector<std::string>& lines);

  ReadHeader take() { return std::move(header_); }

 private:
  struct Group {
    std::uint32_t number;
    std::string file;  // that it is from
  };
  std::map<std::string, std::string> new_program_ids(const std::vector<std::string>& lines) const;

  ReadHeader header_;
  std::map<std::string, Group> groups_;          // by ID
  std::map<std::string, std::string> programs_;  // their lines as they were in the file, by new ID
};

}  // namespace warpseed::reads
