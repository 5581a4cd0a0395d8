#include "plot/helvetica.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "plot/svg_text.hpp"

namespace warpseed::plot {

namespace {

/// Widths of the characters from 0x20 on, in thousandths of the font size: Adobe's metrics of the standard fonts.
using Widths = std::array<std::uint16_t, 0x100 - 0x20>;
constexpr Widths regular_widths = {
    278,  278, 355, 556,  556, 889, 667, 191, 333, 333, 389, 584,  278, 333, 278,  278, 556,  556,  556, 556,  556,
    556,  556, 556, 556,  556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722,  722, 667,  611,  778, 722,  278,
    500,  667, 556, 833,  722, 778, 667, 778, 722, 667, 611, 722,  667, 944, 667,  667, 611,  278,  278, 278,  469,
    556,  333, 556, 556,  500, 556, 556, 278, 556, 556, 222, 222,  500, 222, 833,  556, 556,  556,  556, 333,  500,
    278,  556, 500, 722,  500, 500, 500, 334, 260, 334, 584, 0,    556, 0,   222,  556, 333,  1000, 556, 556,  333,
    1000, 667, 333, 1000, 0,   611, 0,   0,   222, 222, 333, 333,  350, 556, 1000, 333, 1000, 500,  333, 944,  0,
    500,  667, 278, 333,  556, 556, 556, 556, 260, 556, 333, 737,  370, 556, 584,  333, 737,  333,  400, 584,  333,
    333,  333, 556, 537,  278, 333, 333, 365, 556, 834, 834, 834,  611, 667, 667,  667, 667,  667,  667, 1000, 722,
    667,  667, 667, 667,  278, 278, 278, 278, 722, 722, 778, 778,  778, 778, 778,  584, 778,  722,  722, 722,  722,
    667,  667, 611, 556,  556, 556, 556, 556, 556, 889, 500, 556,  556, 556, 556,  278, 278,  278,  278, 556,  556,
    556,  556, 556, 556,  556, 584, 611, 556, 556, 556, 556, 500,  556, 500};
constexpr Widths bold_widths = {
    278,  333, 474, 556,  556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278,  278, 556,  556,  556, 556,  556,
    556,  556, 556, 556,  556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722,  722, 667,  611,  778, 722,  278,
    556,  722, 611, 833,  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,  667, 611,  333,  278, 333,  584,
    556,  333, 556, 611,  556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889,  611, 611,  611,  611, 389,  556,
    333,  611, 556, 778,  556, 556, 500, 389, 280, 389, 584, 0,   556, 0,   278,  556, 500,  1000, 556, 556,  333,
    1000, 667, 333, 1000, 0,   611, 0,   0,   278, 278, 500, 500, 350, 556, 1000, 333, 1000, 556,  333, 944,  0,
    500,  667, 278, 333,  556, 556, 556, 556, 280, 556, 333, 737, 370, 556, 584,  333, 737,  333,  400, 584,  333,
    333,  333, 611, 556,  278, 333, 333, 365, 556, 834, 834, 834, 611, 722, 722,  722, 722,  722,  722, 1000, 722,
    667,  667, 667, 667,  278, 278, 278, 278, 722, 722, 778, 778, 778, 778, 778,  584, 778,  722,  722, 722,  722,
    667,  667, 611, 556,  556, 556, 556, 556, 556, 889, 556, 556, 556, 556, 556,  278, 278,  278,  278, 611,  611,
    611,  611, 611, 611,  611, 584, 611, 611, 611, 611, 611, 556, 611, 556};

/// The characters from 0x80 to 0x9F of WinAnsiEncoding; those from 0xA0 on are Latin-1's.
constexpr std::array<char32_t, 0x20> from_0x80 = {0x20AC, 0,      0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021,
                                                  0x2C6,  0x2030, 0x160,  0x2039, 0x152,  0,      0x17D,  0,
                                                  0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                  0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0,      0x17E,  0x178};
constexpr char32_t first_wide = 0x1100;  // from there on most characters are as wide as high, such as those of Chinese
constexpr unsigned wide = 1000, narrow = 600;

/// The character's code in WinAnsiEncoding; 0 if it has none.
unsigned char code_of(char32_t character) {
  if ((character >= 0x20 && character < 0x7F) || (character >= 0xA0 && character <= 0xFF))
    return static_cast<unsigned char>(character);
  const auto found = std::find(from_0x80.begin(), from_0x80.end(), character);
  if (character == 0 || found == from_0x80.end()) return 0;
  return static_cast<unsigned char>(0x80 + (found - from_0x80.begin()));
}

/// Takes the first character off; U+FFFD for what is no valid UTF-8.
char32_t next_character(std::string_view& text) {
  const std::size_t size = utf8_character(text);
  char32_t character = 0xFFFD;
  if (size == 1) character = static_cast<unsigned char>(text[0]);
  if (size > 1) character = static_cast<unsigned char>(text[0]) & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) character = character << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
  text.remove_prefix(std::max<std::size_t>(size, 1));
  return character;
}

}  // namespace

std::u32string characters_of(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) characters += next_character(text);
  return characters;
}

std::string win_ansi(std::string_view text, bool& complete) {
  std::string codes;
  complete = true;
  for (const char32_t character : characters_of(text)) {
    const unsigned char code = code_of(character);
    complete = complete && code != 0;
    codes += code != 0 ? static_cast<char>(code) : '?';
  }
  return codes;
}

double codes_width(std::string_view codes, double size, bool bold) {
  const Widths& widths = bold ? bold_widths : regular_widths;
  std::uint64_t thousandths = 0;
  for (const char code : codes) thousandths += widths[static_cast<unsigned char>(code) - 0x20U];
  return static_cast<double>(thousandths) * size / 1000;
}

double text_width(std::string_view text, double size, bool bold) {
  std::string codes;
  std::uint64_t others = 0;  // thousandths
  for (const char32_t character : characters_of(text)) {
    const unsigned char code = code_of(character);
    if (code != 0) codes += static_cast<char>(code);
    if (code == 0) others += character >= first_wide ? wide : narrow;
  }
  return codes_width(codes, size, bold) + static_cast<double>(others) * size / 1000;
}

std::string shortened(std::string_view text, double room, double size, bool bold) {
  if (text_width(text, size, bold) <= room) return std::string(text);
  std::string_view rest = text;
  std::size_t kept = 0;
  for (double used = text_width("\u2026", size, bold); !rest.empty(); kept = text.size() - rest.size()) {
    const std::string_view before = rest;
    next_character(rest);
    used += text_width(before.substr(0, before.size() - rest.size()), size, bold);
    if (used > room) break;
  }
  return std::string(text.substr(0, kept)) + "\u2026";
}

}  // namespace warpseed::plot
