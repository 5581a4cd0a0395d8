// What limits a run, from the times of its stages.
#include "align/pipeline/run_times.hpp"

#include "catch.hpp"

using namespace warpseed::align;

TEST_CASE("the limit of a run is its busiest stage, or the cores where these have hardly a pause", "[align][run]") {
  RunTimes times;
  CHECK(times.busy_share_of_cores() == 0);
  CHECK_FALSE(times.is_limited_by_cores());
  times.busy_seconds = {1, 2, 9, 3, 8};
  times.wall_seconds = 10, times.cores = 4, times.cpu_seconds = 20;
  CHECK(times.limit() == RunStage::aligning);
  CHECK(times.busy_share(RunStage::aligning) == 0.9);
  CHECK(times.busy_share_of_cores() == 0.5);
  CHECK_FALSE(times.is_limited_by_cores());
  times.cpu_seconds = 36;
  CHECK(times.is_limited_by_cores());
  times.cpu_seconds = 50;  // more threads than cores, or a clock that is not exact
  CHECK(times.busy_share_of_cores() == 1);
}
