// The plan of a run: what is written is read again, and any damage is noticed.
#include "align/pipeline/run_plan.hpp"

#include "catch.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;
using namespace warpseed::align;

namespace {

const Scoring scoring;

RunPlan some_plan() {
  RunPlan plan;
  plan.index_checksum = 0x12ab;
  plan.options = "k=19 w=100";
  plan.files = {{"one file.fq", 1234}, {"two.fq", 99}};
  plan.reads = 123'456'789'012;
  InsertSizeDistributions distributions;
  distributions[Orientation::fr] = learnt_insert_sizes(399.123456789012345, 61.0 / 3, 100, 700, scoring);
  distributions[Orientation::rf] = learnt_insert_sizes(1e3, 1, 990, 1010, scoring);
  plan.groups = {{0, 32768, distributions}, {3, 98305, {}}};
  plan.marks = {{32768, 5, false, {0, {{{100, 2, 3}, 4, 0}, {{200, 0, 0}, 8, 0}}}},
                {98305, 7, true, {1, {{{1ULL << 40, 70'000, 1}, 9, 77}}}}};
  return plan;
}

}  // namespace

TEST_CASE("a plan is read as it was written", "[align][plan]") {
  const test::TempFolder folder;
  const RunPlan plan = some_plan();
  const RunPlan found = read_plan(folder.write("plan", plan_text(plan)), scoring);
  CHECK(plan_text(found) == plan_text(plan));
  CHECK(found.files == plan.files);
  REQUIRE(found.groups.size() == 2);
  for (const Orientation seen : {Orientation::ff, Orientation::fr, Orientation::rf, Orientation::rr}) {
    const InsertSizeDistribution &a = plan.groups[0].distributions[seen], &b = found.groups[0].distributions[seen];
    CHECK((a.known == b.known && a.mean == b.mean && a.deviation == b.deviation && a.low == b.low && a.high == b.high));
    CHECK(a.scores == b.scores);
  }
  REQUIRE(found.marks.size() == 2);
  CHECK(found.marks[0].position.files == plan.marks[0].position.files);
  CHECK(found.mark_before(32767) == nullptr);
  CHECK(found.mark_before(32768) == &found.marks[0]);
  CHECK(found.mark_before(98304) == &found.marks[0]);
  CHECK(found.mark_before(1ULL << 50) == &found.marks[1]);
}

TEST_CASE("a group is learnt of before a mark or not yet", "[align][plan]") {
  const RunPlan plan = some_plan();
  const AlignerState first = plan.state_at(plan.marks[0]), second = plan.state_at(plan.marks[1]);
  CHECK((first.mates == 32763 && first.singles == 5 && !first.one_more));
  CHECK((second.mates == 98298 && second.singles == 7 && second.one_more));
  CHECK((first.insert_sizes.is_final(0) && !first.insert_sizes.seen(3)));
  CHECK((second.insert_sizes.is_final(0) && second.insert_sizes.is_final(3) && !second.insert_sizes.seen(1)));
}

TEST_CASE("a damaged plan is an error", "[align][plan]") {
  const test::TempFolder folder;
  const std::string text = plan_text(some_plan());
  const auto is_refused = [&](const std::string& changed) {
    return !test::message_of<InputError>([&] { read_plan(folder.write("plan", changed), scoring); }).empty();
  };
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    CAPTURE(size);
    CHECK(is_refused(text.substr(0, size)));
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = changed[i] == '7' ? '8' : '7';
    CAPTURE(i);
    if (i + 1 < text.size()) CHECK(is_refused(changed));
  }
  CHECK(is_refused(text + "more"));
}
