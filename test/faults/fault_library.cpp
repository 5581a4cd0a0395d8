// A library to preload (LD_PRELOAD) that counts what a program asks of the system and lets one request fail.
//
// Environment; faults.py sets it:
//   WS_FAULT_PAGE   file of the size of Page: what was counted and what failed, also of a process that was killed
//   WS_FAULT        CALL:FIRST:LAST:ERROR: requests FIRST to LAST (from 1) of CALL fail; ERROR is an errno, "short" for a
//                   read or write of half of its bytes, or "kill" for the end of the process. CALL is a name below; "allocation" is all of malloc's family,
//                   "open O_TMPFILE" what makes files without a name.
//   WS_FAULT_DISK   bytes that regular files take before the disk is full
//   WS_FAULT_PROCESSORS  so many processors there are
//   WS_FAULT_LATE   threads begin 20 ms late, or if main() ends before, after what exit() does; from main()'s end on there is
//                   no memory
//   WS_FAULT_CLOCK  number of the reading of a clock at which the wall clock jumps back, the steady one ahead by an hour
//
// Requests count from main() on, also those of the libraries that the program uses, but not those that libc makes within
// its own functions (the open() in fopen()). A child process gets no such library.
#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string_view>

namespace {

constexpr std::string_view calls[] = {"allocation", "access",         "close",
                                      "dup",        "dup2",           "fallocate",
                                      "fclose",     "fcntl",          "fdatasync",
                                      "fdopendir",  "fflush",         "flock",
                                      "fopen",      "fread",          "fseeko",
                                      "fstat",      "fstatat",        "fstatfs",
                                      "fsync",      "ftruncate",      "fwrite",
                                      "getcwd",     "gethostname",    "getrlimit",
                                      "getrusage",  "isatty",         "link",
                                      "lseek",      "lstat",          "madvise",
                                      "mincore",    "mkdir",          "mkostemp",
                                      "mmap",       "munmap",         "open",
                                      "openat",     "opendir",        "open O_TMPFILE",
                                      "pipe2",      "posix_fadvise",  "posix_spawn",
                                      "pread",      "pthread_create", "pwrite",
                                      "read",       "readdir",        "readlink",
                                      "realpath",   "rename",         "sched_getaffinity",
                                      "sigaction",  "stat",           "unlink",
                                      "unlinkat",   "utimensat",      "waitpid",
                                      "write",      "writev",         "clock"};
constexpr std::size_t call_count = std::size(calls);

consteval std::size_t number_of(std::string_view name) {
  for (std::size_t i = 0; i < call_count; ++i) {
    if (calls[i] == name) return i;
  }
  throw "no such call";
}

struct Page {
  struct Call {
    char name[24];
    std::atomic<std::uint64_t> count;
  };
  std::atomic<std::uint64_t> failed;  // requests
  char object[504];                   // path of the first that failed, if it had one
  char crash[512];                    // what was being called when a signal ended the process, the innermost first
  Call call[call_count];
};

Page* page = nullptr;
std::atomic<bool> armed = false;
std::size_t faulty = call_count;  // no call
std::uint64_t first = 0, last = 0;
int fault_errno = 0;  // 0: short
bool kills = false;
std::atomic<std::int64_t> disk_left = std::numeric_limits<std::int64_t>::max();
std::uint64_t clock_jump = 0;
int processors = 0;  // 0: those of the machine
bool threads_are_late = false;
std::atomic<bool> main_has_ended = false, exit_is_over = false;

/// The original of a function.
template <class Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void note_object(const char* path) {
  std::strncpy(page->object, path, sizeof page->object - 1);
}

void note_object(int descriptor) {
  char link[64];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const long size = syscall(SYS_readlink, link, page->object, sizeof page->object - 1);
  if (size < 0) page->object[0] = '\0';
}

struct NoObject {};
void note_object(NoObject) {}

/// Counts a request. Whether it is one that fails.
template <class Object>
bool strikes(std::size_t call, Object object) {
  if (!armed) return false;
  const std::uint64_t number = ++page->call[call].count;
  if (call != faulty || number < first || number > last) return false;
  const int before = errno;
  if (page->failed++ == 0) note_object(object);
  if (kills) kill(getpid(), SIGKILL);
  errno = before;
  return true;
}

/// As strikes() for all errors but "short"; sets errno.
template <class Object>
bool fails(std::size_t call, Object object) {
  if (!strikes(call, object) || fault_errno == 0) return false;
  errno = fault_errno;
  return true;
}

/// Whether an allocation fails.
bool memory_is_short() {
  if (!threads_are_late || !main_has_ended) return fails(number_of("allocation"), NoObject());
  errno = ENOMEM;
  return true;
}

/// How many of `bytes` a request moves: all, fewer, or -1, with errno set, for a failure.
ssize_t part(std::size_t call, int descriptor, std::size_t bytes) {
  if (!strikes(call, descriptor)) return static_cast<ssize_t>(bytes);
  if (fault_errno == 0) return static_cast<ssize_t>(bytes - bytes / 2);
  errno = fault_errno;
  return -1;
}

/// How many of `bytes` the disk has room for, 0 for none.
std::size_t room(int descriptor, std::size_t bytes) {
  struct stat info {};
  if (!armed || disk_left == std::numeric_limits<std::int64_t>::max()) return bytes;
  if (syscall(SYS_newfstatat, descriptor, "", &info, AT_EMPTY_PATH) != 0 || !S_ISREG(info.st_mode)) return bytes;
  const std::int64_t before = disk_left.fetch_sub(static_cast<std::int64_t>(bytes));
  const std::size_t given =
      static_cast<std::size_t>(std::clamp(before, std::int64_t{0}, static_cast<std::int64_t>(bytes)));
  if (given < bytes && page->failed++ == 0) note_object(descriptor);
  return given;
}

bool disk_is_full() {
  errno = ENOSPC;
  return true;
}

void read_fault(const char* text) {
  char name[24] = {}, error[24] = {};
  unsigned long long from = 0, to = 0;
  if (std::sscanf(text, "%23[^:]:%llu:%llu:%23s", name, &from, &to, error) != 4) std::abort();
  faulty = static_cast<std::size_t>(std::find(std::begin(calls), std::end(calls), name) - std::begin(calls));
  if (faulty == call_count) std::abort();
  first = from, last = to;
  fault_errno = std::atoi(error);  // 0 for a word
  kills = error == std::string_view("kill");
}

void open_page(const char* path) {
  const int fd = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_RDWR));
  const long mapped = syscall(SYS_mmap, nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  if (mapped < 0 && mapped > -4096) std::abort();
  page = reinterpret_cast<Page*>(mapped);
  for (std::size_t i = 0; i < call_count; ++i) calls[i].copy(page->call[i].name, sizeof page->call[i].name - 1);
}

/// Appends to the page the function and the file that hold an address.
void note_frame(void* address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || !info.dli_fname) return;
  const char* const slash = std::strrchr(info.dli_fname, '/');
  const std::size_t size = std::strlen(page->crash);
  std::snprintf(page->crash + size, sizeof page->crash - size, "%s%s in %s", size == 0 ? "" : " < ",
                info.dli_sname ? info.dli_sname : "?", slash ? slash + 1 : info.dli_fname);
}

void note_crash(int number) {
  void* frames[12];
  constexpr int own = 2;  // this function and what the kernel calls it through
  const int count = backtrace(frames, std::size(frames));
  for (int i = own; i < count; ++i) note_frame(frames[i]);
  raise(number);
}

void note_crashes() {
  void* frame = nullptr;
  backtrace(&frame, 1);  // loads what it needs
  struct sigaction action {};
  action.sa_handler = note_crash;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) sigaction(number, &action, nullptr);
}

using Main = int(int, char**, char**);
Main* program_main = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  const char* const path = std::getenv("WS_FAULT_PAGE");
  if (!path) return program_main(argc, argv, environment);
  open_page(path);
  if (const char* text = std::getenv("WS_FAULT")) read_fault(text);
  if (const char* text = std::getenv("WS_FAULT_DISK")) disk_left = std::atoll(text);
  if (const char* text = std::getenv("WS_FAULT_PROCESSORS")) processors = std::atoi(text);
  if (const char* text = std::getenv("WS_FAULT_CLOCK")) clock_jump = std::strtoull(text, nullptr, 10);
  threads_are_late = std::getenv("WS_FAULT_LATE") != nullptr;
  unsetenv("LD_PRELOAD");
  note_crashes();
  armed = true;
  const int code = program_main(argc, argv, environ);
  main_has_ended = true;
  return code;
}

// ---- threads that begin late -------------------------------------------------------------------------------------------

constexpr int most_milliseconds = 20;

struct LateThread {
  void* (*start)(void*);
  void* argument;
};

void* begin_late(void* given) {
  const LateThread thread = *static_cast<LateThread*>(given);
  free(given);
  for (int waited = 0; !exit_is_over && (waited < most_milliseconds || main_has_ended); ++waited) usleep(1000);
  return thread.start(thread.argument);
}

/// Called after the destructors of all libraries.
void let_late_threads_run(void*) {
  if (!threads_are_late) return;
  exit_is_over = true;
  usleep(most_milliseconds * 1000);
}

extern "C" int __cxa_atexit(void (*function)(void*), void* argument, void* library);

__attribute__((constructor)) void note_exit() {
  __cxa_atexit(let_late_threads_run, nullptr, nullptr);  // of no library: then it is called after those of all
}

}  // namespace

// A function fails with `failure` and errno. RETURNS is its type, `parameters` and `arguments` are in parentheses.
#define FAILING(RETURNS, name, parameters, arguments, object, failure) \
  extern "C" RETURNS name parameters {                                 \
    static auto* const next = original<RETURNS parameters>(#name);     \
    if (fails(number_of(#name), object)) return failure;               \
    return next arguments;                                             \
  }

// The same where the request is done all the same: a close() that fails has closed.
#define FAILING_AFTER(RETURNS, name, parameters, arguments, object, failure) \
  extern "C" RETURNS name parameters {                                       \
    static auto* const next = original<RETURNS parameters>(#name);           \
    const bool failing = fails(number_of(#name), object);                    \
    const int error_number = errno;                                          \
    const RETURNS result = next arguments;                                   \
    if (!failing) return result;                                             \
    errno = error_number;                                                    \
    return failure;                                                          \
  }

// Where off_t has 64 bits, both names are one function.
#define ALSO_64(name) asm(".globl " #name "64\n.set " #name "64, " #name "\n.type " #name "64, @function");

extern "C" int __libc_start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(), void (*rtld_fini)(),
                                 void* stack_end) {
  using Start = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
  program_main = main;
  return original<Start>("__libc_start_main")(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

// ---- memory ------------------------------------------------------------------------------------------------------------

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) noexcept {
  return memory_is_short() ? nullptr : __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) noexcept {
  return memory_is_short() ? nullptr : __libc_calloc(count, size);
}

void* realloc(void* memory, std::size_t size) noexcept {
  return memory_is_short() ? nullptr : __libc_realloc(memory, size);
}

void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return memory_is_short() ? nullptr : __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return memalign(alignment, size);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  void* const got = memalign(alignment, size);
  if (!got) return ENOMEM;
  *memory = got;
  return 0;
}
}

FAILING(void*, mmap, (void* at, std::size_t size, int protection, int flags, int fd, off_t offset),
        (at, size, protection, flags, fd, offset), fd, MAP_FAILED)
ALSO_64(mmap)
FAILING(int, munmap, (void* at, std::size_t size), (at, size), NoObject(), -1)
FAILING(int, madvise, (void* at, std::size_t size, int advice), (at, size, advice), NoObject(), -1)
FAILING(int, mincore, (void* at, std::size_t size, unsigned char* pages), (at, size, pages), NoObject(), -1)

// ---- files -------------------------------------------------------------------------------------------------------------

extern "C" int open(const char* path, int flags, ...) {
  static auto* const next = original<int(const char*, int, ...)>("open");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);  // no value where the flags make no file: then it is not used
  va_end(arguments);
  const bool nameless = (flags & O_TMPFILE) == O_TMPFILE;
  return fails(nameless ? number_of("open O_TMPFILE") : number_of("open"), path) ? -1 : next(path, flags, mode);
}
ALSO_64(open)

extern "C" int openat(int folder, const char* path, int flags, ...) {
  static auto* const next = original<int(int, const char*, int, ...)>("openat");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  return fails(number_of("openat"), path) ? -1 : next(folder, path, flags, mode);
}
ALSO_64(openat)

extern "C" int fcntl(int fd, int command, ...) {
  static auto* const next = original<int(int, int, ...)>("fcntl");
  va_list arguments;
  va_start(arguments, command);
  void* const argument = va_arg(arguments, void*);
  va_end(arguments);
  return fails(number_of("fcntl"), fd) ? -1 : next(fd, command, argument);
}
ALSO_64(fcntl)

extern "C" ssize_t read(int fd, void* out, std::size_t bytes) {
  static auto* const next = original<ssize_t(int, void*, std::size_t)>("read");
  const ssize_t some = part(number_of("read"), fd, bytes);
  return some < 0 ? -1 : next(fd, out, static_cast<std::size_t>(some));
}

extern "C" ssize_t pread(int fd, void* out, std::size_t bytes, off_t at) {
  static auto* const next = original<ssize_t(int, void*, std::size_t, off_t)>("pread");
  const ssize_t some = part(number_of("pread"), fd, bytes);
  return some < 0 ? -1 : next(fd, out, static_cast<std::size_t>(some), at);
}
ALSO_64(pread)

extern "C" ssize_t write(int fd, const void* from, std::size_t bytes) {
  static auto* const next = original<ssize_t(int, const void*, std::size_t)>("write");
  const ssize_t some = part(number_of("write"), fd, bytes);
  const std::size_t fits = some < 0 ? 0 : room(fd, static_cast<std::size_t>(some));
  if (some > 0 && fits == 0 && disk_is_full()) return -1;
  return some < 0 ? -1 : next(fd, from, fits);
}

extern "C" ssize_t pwrite(int fd, const void* from, std::size_t bytes, off_t at) {
  static auto* const next = original<ssize_t(int, const void*, std::size_t, off_t)>("pwrite");
  const ssize_t some = part(number_of("pwrite"), fd, bytes);
  const std::size_t fits = some < 0 ? 0 : room(fd, static_cast<std::size_t>(some));
  if (some > 0 && fits == 0 && disk_is_full()) return -1;
  return some < 0 ? -1 : next(fd, from, fits, at);
}
ALSO_64(pwrite)

extern "C" ssize_t writev(int fd, const iovec* parts, int count) {
  static auto* const next = original<ssize_t(int, const iovec*, int)>("writev");
  if (fails(number_of("writev"), fd)) return -1;
  const bool is_short = armed && faulty == number_of("writev") && fault_errno == 0;
  std::size_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += parts[i].iov_len;
  if (room(fd, bytes) < bytes && disk_is_full()) return -1;
  return next(fd, parts, is_short ? std::min(count, 1) : count);
}

extern "C" int fallocate(int fd, int mode, off_t at, off_t size) {
  static auto* const next = original<int(int, int, off_t, off_t)>("fallocate");
  if (fails(number_of("fallocate"), fd)) return -1;
  if (room(fd, static_cast<std::size_t>(size)) < static_cast<std::size_t>(size) && disk_is_full()) return -1;
  return next(fd, mode, at, size);
}
ALSO_64(fallocate)

extern "C" int mkostemp(char* name, int flags) {
  static auto* const next = original<int(char*, int)>("mkostemp");
  return fails(number_of("mkostemp"), static_cast<const char*>(name)) ? -1 : next(name, flags);
}
ALSO_64(mkostemp)

extern "C" int posix_fadvise(int fd, off_t at, off_t size, int advice) noexcept {
  static auto* const next = original<int(int, off_t, off_t, int)>("posix_fadvise");
  return fails(number_of("posix_fadvise"), fd) ? fault_errno : next(fd, at, size, advice);
}
ALSO_64(posix_fadvise)

FAILING_AFTER(int, close, (int fd), (fd), fd, -1)
FAILING(int, fsync, (int fd), (fd), fd, -1)
FAILING(int, fdatasync, (int fd), (fd), fd, -1)
FAILING(int, ftruncate, (int fd, off_t size) noexcept, (fd, size), fd, -1)
ALSO_64(ftruncate)
FAILING(off_t, lseek, (int fd, off_t offset, int whence) noexcept, (fd, offset, whence), fd, -1)
ALSO_64(lseek)
FAILING(int, dup, (int fd) noexcept, (fd), fd, -1)
FAILING(int, dup2, (int fd, int wanted) noexcept, (fd, wanted), fd, -1)
FAILING(int, flock, (int fd, int operation) noexcept, (fd, operation), fd, -1)
FAILING(int, pipe2, (int* ends, int flags) noexcept, (ends, flags), NoObject(), -1)
FAILING(int, isatty, (int fd) noexcept, (fd), fd, 0)

// ---- names of files ----------------------------------------------------------------------------------------------------

FAILING(int, access, (const char* path, int mode) noexcept, (path, mode), path, -1)
FAILING(int, rename, (const char* from, const char* to) noexcept, (from, to), to, -1)
FAILING(int, link, (const char* from, const char* to) noexcept, (from, to), to, -1)
FAILING(int, unlink, (const char* path) noexcept, (path), path, -1)
FAILING(int, utimensat, (int folder, const char* path, const timespec* times, int flags) noexcept,
        (folder, path, times, flags), path, -1)
FAILING(int, unlinkat, (int folder, const char* path, int flags) noexcept, (folder, path, flags), path, -1)
FAILING(int, mkdir, (const char* path, mode_t mode) noexcept, (path, mode), path, -1)
FAILING(ssize_t, readlink, (const char* path, char* out, std::size_t size) noexcept, (path, out, size), path, -1)
FAILING(char*, realpath, (const char* path, char* out) noexcept, (path, out), path, nullptr)
FAILING(char*, getcwd, (char* out, std::size_t size) noexcept, (out, size), NoObject(), nullptr)
FAILING(int, fstat, (int fd, struct stat* info) noexcept, (fd, info), fd, -1)
ALSO_64(fstat)
FAILING(int, stat, (const char* path, struct stat* info) noexcept, (path, info), path, -1)
ALSO_64(stat)
FAILING(int, lstat, (const char* path, struct stat* info) noexcept, (path, info), path, -1)
ALSO_64(lstat)
FAILING(int, fstatfs, (int fd, struct statfs* info) noexcept, (fd, info), fd, -1)
ALSO_64(fstatfs)
FAILING(DIR*, opendir, (const char* path), (path), path, nullptr)
FAILING(DIR*, fdopendir, (int fd), (fd), fd, nullptr)
FAILING(dirent*, readdir, (DIR * folder), (folder), NoObject(), nullptr)
ALSO_64(readdir)

// ---- streams of C ------------------------------------------------------------------------------------------------------

FAILING(FILE*, fopen, (const char* path, const char* mode), (path, mode), path, nullptr)
ALSO_64(fopen)
FAILING(std::size_t, fread, (void* out, std::size_t size, std::size_t count, FILE* file), (out, size, count, file),
        fileno(file), 0)
FAILING(std::size_t, fwrite, (const void* from, std::size_t size, std::size_t count, FILE* file),
        (from, size, count, file), fileno(file), 0)
FAILING(int, fflush, (FILE * file), (file), NoObject(), EOF)
FAILING_AFTER(int, fclose, (FILE * file), (file), fileno(file), EOF)

// ---- processes, threads, the machine -----------------------------------------------------------------------------------

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) noexcept {
  static auto* const next = original<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  if (fails(number_of("pthread_create"), NoObject())) return fault_errno;
  if (!threads_are_late) return next(thread, attributes, start, argument);
  auto* const late = static_cast<LateThread*>(__libc_malloc(sizeof(LateThread)));
  *late = {start, argument};
  return next(thread, attributes, begin_late, late);
}

extern "C" int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                           const posix_spawnattr_t* attributes, char* const argv[], char* const environment[]) {
  static auto* const next = original<decltype(posix_spawn)>("posix_spawn");
  return fails(number_of("posix_spawn"), path) ? fault_errno
                                               : next(child, path, actions, attributes, argv, environment);
}

FAILING(pid_t, waitpid, (pid_t child, int* status, int options), (child, status, options), NoObject(), -1)
FAILING(int, getrlimit, (__rlimit_resource_t resource, rlimit* limit) noexcept, (resource, limit), NoObject(), -1)
FAILING(int, getrusage, (__rusage_who_t who, rusage* usage) noexcept, (who, usage), NoObject(), -1)
FAILING(int, gethostname, (char* name, std::size_t size) noexcept, (name, size), NoObject(), -1)
extern "C" int sched_getaffinity(pid_t process, std::size_t size, cpu_set_t* set) noexcept {
  static auto* const next = original<int(pid_t, std::size_t, cpu_set_t*) noexcept>("sched_getaffinity");
  if (fails(number_of("sched_getaffinity"), NoObject())) return -1;
  if (processors == 0) return next(process, size, set);
  std::memset(set, 0, size);
  for (int i = 0; i < processors; ++i) CPU_SET_S(static_cast<unsigned>(i), size, set);
  return 0;
}
FAILING(int, sigaction, (int number, const struct sigaction* action, struct sigaction* before) noexcept,
        (number, action, before), NoObject(), -1)

// ---- clocks ------------------------------------------------------------------------------------------------------------

namespace {

/// Seconds by which a clock has jumped.
time_t jump(clockid_t clock) {
  if (!armed || clock_jump == 0 || ++page->call[number_of("clock")].count < clock_jump) return 0;
  page->failed = 1;
  return clock == CLOCK_REALTIME ? -3600 : clock == CLOCK_MONOTONIC ? 3600 : 0;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const long result = syscall(SYS_clock_gettime, clock, now);
  if (result == 0) now->tv_sec += jump(clock);
  return static_cast<int>(result);
}

extern "C" time_t time(time_t* out) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}

extern "C" int gettimeofday(timeval* out, void*) noexcept {
  timespec now{};
  const int result = clock_gettime(CLOCK_REALTIME, &now);
  *out = {now.tv_sec, now.tv_nsec / 1000};
  return result;
}
