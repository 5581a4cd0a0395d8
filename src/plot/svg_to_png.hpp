// Renders SVG as PNG with any suitable installed program; private to the module.
#pragma once

#include <string>

namespace warpseed::plot {

/// Throws InputError if PATH has no program that svg_to_png() can run.
void require_png_program();

/// Renders `svg_path` to `png_path`, at twice its size in pixels. Tries rsvg-convert, inkscape, magick and convert, as
/// far as they are in PATH, until one succeeds. Throws InputError if none is there, IoError if all fail, which names
/// `output`: what `png_path` becomes.
void svg_to_png(const std::string& svg_path, const std::string& png_path, const std::string& output);

}  // namespace warpseed::plot
