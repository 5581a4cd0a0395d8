// What the files of this program have of each other.
#pragma once

#include <string>

std::string version_text();

/// Aligns pairs, the mates of each in two lines, and prints the fields of their records.
void print_pairs(const std::string& index_path, const std::string& reads_path);
