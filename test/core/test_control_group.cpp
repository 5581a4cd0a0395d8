#include "core/control_group.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <thread>

#include "catch.hpp"
#include "core/processors.hpp"
#include "core/temp_folder.hpp"

namespace warpseed {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// A root folder with the files of /proc and of control groups.
struct Machine {
  test::TempFolder folder;

  void write(const std::string& path, const std::string& content) const {
    fs::create_directories(fs::path(folder.file(path)).parent_path());
    folder.write(path, content);
  }
  ControlGroupLimits limits() const { return control_group_limits(folder.file("")); }
};

const std::string v2_mount =
    "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:9 master:1 - cgroup2 cgroup2 rw,nsdelegate\n";
const std::string v1_mounts =
    "30 23 0:27 / /proc rw - proc proc rw\n"
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:3 - cgroup cgroup rw,cpu,cpuacct\n"
    "33 31 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
    "34 31 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n";

void check_unlimited(const ControlGroupLimits& limits) {
  CHECK(limits.memory_bytes == unlimited);
  CHECK(limits.memory_left_bytes == unlimited);
  CHECK(std::isinf(limits.processors));
}

}  // namespace

TEST_CASE("without control groups nothing is limited", "[core][control_group]") {
  const Machine machine;
  check_unlimited(machine.limits());
  machine.write("proc/self/mountinfo", v2_mount + "\nno mount\n1 2 3 - cgroup2\n");
  check_unlimited(machine.limits());
  machine.write("proc/self/cgroup", "0::/job\nno group\n1:\n");
  check_unlimited(machine.limits());
  machine.write("sys/fs/cgroup/job/memory.max", "max\n");
  machine.write("sys/fs/cgroup/job/memory.current", "5000\n");
  machine.write("sys/fs/cgroup/job/cpu.max", "max 100000\n");
  check_unlimited(machine.limits());
  machine.write("sys/fs/cgroup/job/cpu.max", "");
  machine.write("sys/fs/cgroup/job/memory.max", "");
  check_unlimited(machine.limits());
}

TEST_CASE("v2: the strictest of a group and its parents counts", "[core][control_group]") {
  const Machine machine;
  machine.write("proc/self/mountinfo", v2_mount);
  machine.write("proc/self/cgroup", "0::/slurm/job 7/step\n");
  const std::string top = "sys/fs/cgroup/", job = top + "slurm/job 7/", step = job + "step/";
  machine.write(step + "memory.max", "max\n");
  machine.write(step + "memory.current", "100\n");
  machine.write(job + "memory.max", "8000\n");
  CHECK(machine.limits().memory_bytes == 8000);
  CHECK(machine.limits().memory_left_bytes == unlimited);  // what is used is not known
  machine.write(job + "memory.current", "5000\n");
  CHECK(machine.limits().memory_left_bytes == 3000);
  machine.write(job + "memory.stat",
                "anon 1500\nfile 3500\nactive_file 1000\ninactive_file 2000\ntotal_inactive_file 9\n");
  CHECK(machine.limits().memory_left_bytes == 6000);
  machine.write(top + "slurm/memory.max", "20000\n");
  machine.write(top + "slurm/memory.current", "19000\n");
  CHECK(machine.limits().memory_bytes == 8000);
  CHECK(machine.limits().memory_left_bytes == 1000);
  machine.write(top + "other/memory.max", "1\n");
  machine.write(top + "memory.max", "7000\n");  // as in a container with a control-group namespace
  CHECK(machine.limits().memory_bytes == 7000);
  machine.write(step + "cpu.max", "max 100000\n");
  machine.write(job + "cpu.max", "250000 100000\n");
  machine.write(top + "slurm/cpu.max", "1600000 100000\n");
  CHECK(machine.limits().processors == 2.5);
}

TEST_CASE("what is used beyond a limit leaves nothing, and more page cache than use leaves all",
          "[core][control_group]") {
  const Machine machine;
  machine.write("proc/self/mountinfo", v2_mount);
  machine.write("proc/self/cgroup", "0::/\n");
  machine.write("sys/fs/cgroup/memory.max", "8000\n");
  machine.write("sys/fs/cgroup/memory.current", "9000\n");
  machine.write("sys/fs/cgroup/memory.stat", "active_file 100\n");
  CHECK(machine.limits().memory_left_bytes == 0);
  machine.write("sys/fs/cgroup/memory.stat", "active_file 20000\n");
  CHECK(machine.limits().memory_left_bytes == 8000);
}

TEST_CASE("v1: each controller has a hierarchy of its own", "[core][control_group]") {
  const Machine machine;
  machine.write("proc/self/mountinfo", v1_mounts);
  machine.write("proc/self/cgroup",
                "5:memory:/slurm/uid_1/job_2\n4:cpu,cpuacct:/slurm\n3:cpuset:/set\n1:name=systemd:/\n0::/\n");
  const std::string memory = "sys/fs/cgroup/memory/", cpu = "sys/fs/cgroup/cpu,cpuacct/";
  machine.write(memory + "memory.limit_in_bytes", "9223372036854771712\n");
  machine.write(memory + "memory.usage_in_bytes", "123456789\n");
  machine.write(cpu + "cpu.cfs_quota_us", "-1\n");
  machine.write(cpu + "cpu.cfs_period_us", "100000\n");
  check_unlimited(machine.limits());
  machine.write(memory + "slurm/uid_1/memory.limit_in_bytes", "6000\n");
  machine.write(memory + "slurm/uid_1/memory.usage_in_bytes", "5000\n");
  machine.write(memory + "slurm/uid_1/memory.stat",
                "inactive_file 7\ntotal_inactive_file 500\ntotal_active_file 100\n");
  machine.write(memory + "slurm/uid_1/job_2/memory.limit_in_bytes", "7000\n");
  machine.write(memory + "slurm/uid_1/job_2/memory.usage_in_bytes", "10\n");
  machine.write(cpu + "slurm/cpu.cfs_quota_us", "150000\n");
  machine.write(cpu + "slurm/cpu.cfs_period_us", "50000\n");
  CHECK(machine.limits().memory_bytes == 6000);
  CHECK(machine.limits().memory_left_bytes == 1600);
  CHECK(machine.limits().processors == 3);
}

TEST_CASE("v1 and v2 at the same time: both count", "[core][control_group]") {
  const Machine machine;
  machine.write("proc/self/mountinfo", v1_mounts + "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  machine.write("proc/self/cgroup", "5:memory:/job\n0::/job\n");
  machine.write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "6000\n");
  machine.write("sys/fs/cgroup/unified/job/cpu.max", "50000 100000\n");
  CHECK(machine.limits().memory_bytes == 6000);
  CHECK(machine.limits().processors == 0.5);
}

TEST_CASE("a mount of a container shows only a part of the groups", "[core][control_group]") {
  const Machine machine;
  machine.write("proc/self/mountinfo", "9 8 0:1 /docker/ab /sys/fs/my\\040groups ro - cgroup2 cgroup2 rw\n");
  machine.write("sys/fs/my groups/memory.max", "5000\n");
  machine.write("sys/fs/my groups/inner/memory.max", "4000\n");
  for (const auto& [group, wanted] :
       {std::pair("/docker/ab/inner", 4000), std::pair("/docker/ab", 5000), std::pair("/docker/abc", 5000),
        std::pair("/../other", 5000), std::pair("/", 5000)}) {
    machine.write("proc/self/cgroup", "0::" + std::string(group) + "\n");
    INFO(group);
    CHECK(machine.limits().memory_bytes == static_cast<std::uint64_t>(wanted));
  }
}

TEST_CASE("as many processors as the affinity mask has, and no more than the quota, rounded up", "[core][processors]") {
  cpu_set_t before;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  const Machine machine;
  const std::string root = machine.folder.file("");
  const int all = CPU_COUNT(&before);
  CHECK(usable_processors(root) == all);
  machine.write("proc/self/mountinfo", v2_mount);
  machine.write("proc/self/cgroup", "0::/\n");
  const auto with_quota = [&](int microseconds) {
    machine.write("sys/fs/cgroup/cpu.max", std::to_string(microseconds) + " 100000\n");
    return usable_processors(root);
  };
  CHECK(with_quota(1000) == 1);
  CHECK(with_quota(100000) == 1);
  CHECK(with_quota(100001) == std::min(2, all));
  CHECK(with_quota(100000 * (all + 5)) == all);
  int of_one = 0;
  std::thread thread([&] {  // a thread's mask is its own
    cpu_set_t one;
    CPU_ZERO(&one);
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
      if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
    }
    if (sched_setaffinity(0, sizeof one, &one) == 0) of_one = with_quota(100000 * (all + 5));
  });
  thread.join();
  CHECK(of_one == 1);
}

}  // namespace warpseed
