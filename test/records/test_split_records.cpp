// Packed records that are split for a disk and joined again.
#include "records/split_records.hpp"

#include <cstring>
#include <limits>

#include "records/packed_heads.hpp"
#include "records/record_block.hpp"
#include "records/writer_helpers.hpp"

namespace warpseed {

using namespace records;
namespace {

using Bytes = std::vector<std::byte>;

/// A record of `bases` whose qualities are `kinds` different ones.
void add_record(const std::string& bases, unsigned kinds, std::mt19937& rng, Bytes& packed) {
  std::string qualities(bases.size(), '#');
  for (char& quality : qualities) quality = static_cast<char>('#' + 2 * (rng() % kinds));
  const test::Read read = {"read" + std::to_string(rng() % 1000), "", bases, qualities};
  AlignmentRecord record;
  record.flag = rng() % 2 == 0 ? sam_flag::reverse : 0;
  record.contig = 1, record.position = static_cast<std::int64_t>(rng() % 1000000);
  if (!bases.empty()) record.cigar = {cigar_element(CigarOp::match, static_cast<std::uint32_t>(bases.size()))};
  record.edit_distance = static_cast<std::int32_t>(rng() % 5);
  record.mismatches = std::to_string(bases.size());
  BamRecord made(record, read.view(), "group", false);
  made.get()->id = rng();
  pack(*made.get(), packed);
}

/// By the same splitter.
Bytes split(const Bytes& packed) {
  static RecordSplitter splitter;
  Bytes stored;
  splitter.split(packed, stored);
  return stored;
}

bool comes_back(const Bytes& packed, const Bytes& stored) {
  Bytes bytes(packed.size(), std::byte{0xAA});
  return joined(stored, bytes) && bytes == packed;
}

}  // namespace

TEST_CASE("split records are joined to the same bytes", "[records][runs]") {
  const unsigned kinds = GENERATE(1, 2, 3, 4, 5, 16, 17, 40);
  const std::string alphabet = GENERATE("ACGT", "ACGTN", "ACGTRYSWKMBDHVN");
  const unsigned seed = 61 + kinds;
  CAPTURE(kinds, alphabet, seed);
  std::mt19937 rng(seed);
  Bytes packed;
  for (std::size_t length = 0; length < 300; ++length)
    add_record(test::random_text(length, alphabet, rng), kinds, rng, packed);
  CHECK(comes_back(packed, split(packed)));
  CHECK(comes_back({}, split({})));
  Bytes one;
  add_record(test::random_text(151, alphabet, rng), kinds, rng, one);
  CHECK(comes_back(one, split(one)));
}

TEST_CASE("known bases and few qualities take few bits", "[records][runs]") {
  std::mt19937 rng(62);
  Bytes constant, binned;
  constexpr std::size_t records = 500, length = 200;
  for (std::size_t i = 0; i < records; ++i) {
    const std::string bases = test::random_text(length, "ACGT", rng);
    add_record(bases, 1, rng, constant);
    add_record(bases, 4, rng, binned);
  }
  const std::size_t bases = records * length / 4;
  CHECK(split(constant).size() < bases + records * 40);  // position, name, tags
  CHECK(split(binned).size() < 2 * bases + records * 40);
}

/// A number of any size, often an extreme one.
template <class Number>
void fill(Number& field, std::mt19937& rng) {
  using Limits = std::numeric_limits<Number>;
  const std::uint64_t any = std::uint64_t{rng()} << 32 | rng();
  switch (rng() % 4) {
    case 0: field = Limits::min(); break;
    case 1: field = Limits::max(); break;
    default: field = static_cast<Number>(any >> rng() % 64);
  }
}

PackedHead any_head(std::mt19937& rng) {
  PackedHead head;
  std::memset(&head, 0, sizeof head);
  fill(head.core.pos, rng), fill(head.core.tid, rng), fill(head.core.bin, rng), fill(head.core.qual, rng);
  fill(head.core.l_extranul, rng), fill(head.core.flag, rng), fill(head.core.l_qname, rng);
  fill(head.core.n_cigar, rng), fill(head.core.l_qseq, rng), fill(head.core.mtid, rng), fill(head.core.mpos, rng);
  fill(head.core.isize, rng), fill(head.id, rng), fill(head.data_bytes, rng);
  return head;
}

TEST_CASE("heads of any numbers come back from their differences, and not from fewer bytes", "[records][runs]") {
  constexpr std::size_t heads = 2000;
  std::mt19937 rng(65);
  std::vector<PackedHead> put;
  std::vector<std::byte> bytes(heads * HeadPacker::most_bytes);
  auto* const begin = reinterpret_cast<std::uint8_t*>(bytes.data());
  std::uint8_t* end = begin;
  std::vector<std::size_t> ends;
  HeadPacker packer;
  for (std::size_t i = 0; i < heads; ++i) {
    put.push_back(i % 7 == 6 ? put.back() : any_head(rng));
    end = packer.put(put.back(), i % 3 == 0, end);
    ends.push_back(static_cast<std::size_t>(end - begin));
    CHECK(ends[i] - (i == 0 ? 0 : ends[i - 1]) <= (i % 7 == 6 ? 2 : HeadPacker::most_bytes));
  }
  PackedHead head;
  bool flag = false;
  HeadReader reader(std::span<const std::byte>(bytes).first(ends.back()));
  for (std::size_t i = 0; i < heads; ++i) {
    REQUIRE(reader.take(head, flag));
    REQUIRE((std::memcmp(&head, &put[i], sizeof head) == 0 && flag == (i % 3 == 0)));
  }
  CHECK(reader.at_end());
  CHECK_FALSE(reader.take(head, flag));
  for (std::size_t size = 0; size < ends[0]; ++size)
    CHECK_FALSE(HeadReader(std::span(bytes).first(size)).take(head, flag));
  std::vector<std::byte> longer_than_a_number(13, std::byte{0x80});
  longer_than_a_number.front() = std::byte{1}, longer_than_a_number.back() = std::byte{0};
  CHECK_FALSE(HeadReader(longer_than_a_number).take(head, flag));
}

TEST_CASE("records of impossible lengths come back, too", "[records][runs]") {
  std::mt19937 rng(63);
  Bytes packed;
  for (const std::int32_t bases : {-1, 1 << 30, 41}) {
    test::RecordBuilder builder(static_cast<unsigned>(rng()));
    BamRecord record = builder.next();
    record.get()->core.l_qseq = bases;
    pack(*record.get(), packed);
  }
  CHECK(comes_back(packed, split(packed)));
}

TEST_CASE("damaged split records are refused or differ, and nothing beyond them is read", "[records][runs]") {
  const unsigned kinds = GENERATE(1, 4, 40);
  const unsigned seed = 64 + kinds;
  CAPTURE(kinds, seed);
  std::mt19937 rng(seed);
  Bytes packed;
  for (int i = 0; i < 50; ++i) add_record(test::random_text(100, "ACGT", rng), kinds, rng, packed);
  const Bytes stored = split(packed);
  for (int i = 0; i < 2000; ++i) {
    Bytes damaged = stored;
    if (i % 2 == 0) {
      damaged.resize(rng() % stored.size());
      CHECK_FALSE(comes_back(packed, damaged));
    } else {
      damaged[rng() % damaged.size()] ^= std::byte(1 + rng() % 255);
      Bytes bytes(packed.size());
      const bool made = joined(damaged, bytes);  // the sanitized build sees whether it stays within its memory
      CHECK((!made || bytes.size() == packed.size()));
    }
  }
}

}  // namespace warpseed
