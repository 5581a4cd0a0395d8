// Helvetica, which every reader of PDF has: the room that text takes, and its codes in a PDF file.
#pragma once

#include <string>
#include <string_view>

namespace warpseed::plot {

/// The characters of UTF-8; U+FFFD for each byte that is not valid.
std::u32string characters_of(std::string_view text);

/// The text in the encoding WinAnsiEncoding of PDF, Latin-1 with typographic characters. Other characters become '?';
/// `complete` says whether there is none.
std::string win_ansi(std::string_view text, bool& complete);

/// The width of text in WinAnsiEncoding, in the unit of `size`.
double codes_width(std::string_view codes, double size, bool bold);

/// The width of UTF-8 text, in the unit of `size`. Of characters that are not in WinAnsiEncoding an estimate.
double text_width(std::string_view text, double size, bool bold = false);

/// The text, or as many of its first characters as fit into `room` with an ellipsis.
std::string shortened(std::string_view text, double room, double size, bool bold = false);

}  // namespace warpseed::plot
