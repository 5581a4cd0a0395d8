#include "reads/input_meter.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace warpseed::reads {

namespace {

class MeteredSource final : public ByteSource {
 public:
  MeteredSource(std::unique_ptr<ByteSource> source, std::shared_ptr<InputMeter> meter)
      : source_(std::move(source)), meter_(std::move(meter)) {}

  std::uint64_t read(std::span<char> out) override {
    const std::uint64_t count = source_->read(out);
    const std::uint64_t offset = source_->file_offset();
    if (offset > counted_) meter_->add(offset - std::exchange(counted_, offset));
    return count;
  }

  std::uint64_t file_offset() const override { return source_->file_offset(); }
  std::uint64_t file_size() const override { return source_->file_size(); }
  bool compressed() const override { return source_->compressed(); }

 private:
  const std::unique_ptr<ByteSource> source_;
  const std::shared_ptr<InputMeter> meter_;
  std::uint64_t counted_ = 0;
};

}  // namespace

InputMeter::InputMeter(std::span<const std::string> paths) {
  namespace fs = std::filesystem;
  for (const std::string& path : paths) {
    std::error_code error;
    const bool regular = path != "-" && fs::is_regular_file(path, error);
    const std::uintmax_t bytes = regular ? fs::file_size(path, error) : 0;
    if (!regular || error) {
      total_bytes_ = 0;
      return;
    }
    total_bytes_ += bytes;
  }
}

double InputMeter::share() const {
  if (total_bytes_ == 0) return 0;
  return std::min(1.0, static_cast<double>(read_bytes_) / static_cast<double>(total_bytes_));
}

std::unique_ptr<ByteSource> metered(std::unique_ptr<ByteSource> source, std::shared_ptr<InputMeter> meter) {
  return std::make_unique<MeteredSource>(std::move(source), std::move(meter));
}

}  // namespace warpseed::reads
