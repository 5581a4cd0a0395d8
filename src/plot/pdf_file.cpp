#include "plot/pdf_file.hpp"

#include <fmt/format.h>

#include <span>

#include "core/deflate.hpp"
#include "plot/helvetica.hpp"
#include "plot/svg_text.hpp"
#include "warpseed/version.hpp"

namespace warpseed::plot {

namespace {

/// RFC 1950's checksum.
std::uint32_t adler32(std::string_view bytes) {
  std::uint32_t a = 1, b = 0;
  for (const char byte : bytes) {
    a = (a + static_cast<unsigned char>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

/// A stream object's dictionary and bytes; compressed as zlib does (RFC 1950) where that is smaller.
std::string stream_of(std::string_view content) {
  const std::vector<std::byte> deflate = deflated(std::as_bytes(std::span(content)));
  if (deflate.empty()) return fmt::format("<< /Length {} >>\nstream\n{}\nendstream", content.size(), content);
  std::string bytes = "\x78\x01";
  bytes.append(reinterpret_cast<const char*>(deflate.data()), deflate.size());
  const std::uint32_t checksum = adler32(content);
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(checksum >> shift & 0xFF);
  return fmt::format("<< /Length {} /Filter /FlateDecode >>\nstream\n{}\nendstream", bytes.size(), bytes);
}

std::string font(std::string_view name) {
  return fmt::format("<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding /WinAnsiEncoding >>", name);
}

std::string page_object(const PdfPage& page) {
  std::string states;
  for (std::size_t i = 0; i < page.opacities.size(); ++i)
    states += fmt::format("/G{} << /CA {} >> ", i, page.opacities[i]);
  return fmt::format(
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents 4 0 R\n   /Resources << /Font << /F0 5 0 R /F1 6 0 "
      "R "
      ">> /ExtGState << {}>> >> >>",
      decimal(page.width), decimal(page.height), states);
}

}  // namespace

std::string pdf_bytes(std::string_view bytes) {
  std::string out = "<";
  for (const char byte : bytes) out += fmt::format("{:02X}", static_cast<unsigned char>(byte));
  return out + ">";
}

std::string pdf_text_string(std::string_view text) {
  std::string out = "<FEFF";
  for (const char32_t character : characters_of(text)) {
    const auto code = static_cast<std::uint32_t>(character);
    if (code < 0x10000) {
      out += fmt::format("{:04X}", code);
    } else {
      out += fmt::format("{:04X}{:04X}", 0xD800 + ((code - 0x10000) >> 10), 0xDC00 + ((code - 0x10000) & 0x3FF));
    }
  }
  return out + ">";
}

std::string pdf_file(const PdfPage& page) {
  const std::vector<std::string> objects = {// numbered from 1
                                            "<< /Type /Catalog /Pages 2 0 R >>",
                                            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                                            page_object(page),
                                            stream_of(page.content),
                                            font("Helvetica"),
                                            font("Helvetica-Bold"),
                                            fmt::format("<< /Title {} /Producer {} >>", pdf_text_string(page.title),
                                                        pdf_text_string(fmt::format("warpseed {}", version)))};
  std::string file = "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n";  // the second line shows that the file is not text
  std::string table = fmt::format("xref\n0 {}\n0000000000 65535 f \n", objects.size() + 1);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    table += fmt::format("{:010} 00000 n \n", file.size());
    file += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
  }
  const std::size_t begin = file.size();
  return file + table +
         fmt::format("trailer\n<< /Size {} /Root 1 0 R /Info {} 0 R >>\nstartxref\n{}\n%%EOF\n", objects.size() + 1,
                     objects.size(), begin);
}

}  // namespace warpseed::plot
