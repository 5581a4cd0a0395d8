// A library to preload (LD_PRELOAD) into a program with a shared CUDA runtime, of which it lets calls fail.
//
// Environment; cuda_faults.py sets it:
//   WS_CUDA_FAULT        CALL:FIRST:LAST:ERROR: calls FIRST to LAST (from 1) of the function CALL, or of "any", return ERROR,
//                        a number of cudaError_t, and do nothing else; what gives something back or waits does that.
//                        fill:FIRST:LAST:BYTE: the device memory that calls FIRST to LAST take is full of this byte
//   WS_CUDA_FAULT_COUNTS file for how often each function was called and how many calls failed, a line each
//   WS_CUDA_KERNELS      file to which the names of the kernels that were launched are added, a line each
//   WS_CUDA_SERIAL       if set, one thread at a time calls the runtime, and each call waits for the device
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>

namespace {

constexpr int most_functions = 64;

struct Function {
  std::atomic<const char*> name = nullptr;
  std::atomic<std::uint64_t> calls = 0;
};
Function functions[most_functions];
std::atomic<std::uint64_t> all_calls = 0, failed = 0;

/// WS_CUDA_FAULT.
struct Fault {
  Fault() {
    const char* setting = std::getenv("WS_CUDA_FAULT");
    if (!setting) return;
    int number = 0;
    if (std::sscanf(setting, "%63[^:]:%lu:%lu:%d", name, &first, &last, &number) == 4) error = cudaError_t(number);
  }
  char name[64] = "";
  unsigned long first = 1, last = 0;
  cudaError_t error = cudaSuccess;
};

const Fault& fault() {
  static const Fault one;
  return one;
}

/// What a launch that failed leaves for cudaGetLastError(), in each thread.
thread_local cudaError_t last_error = cudaSuccess;

bool is_fault(const char* name, std::uint64_t number) {
  return std::strcmp(fault().name, name) == 0 && number >= fault().first && number <= fault().last;
}

/// Counts a call; whether it is to fail.
bool fails(Function& function, const char* name) {
  function.name = name;
  const std::uint64_t mine = ++function.calls, any = ++all_calls;
  if (!is_fault("any", any) && !is_fault(name, mine)) return false;
  ++failed;
  last_error = fault().error;
  return true;
}

template <class Signature>
Signature* real(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (!found) std::fprintf(stderr, "no function %s behind the fault library\n", name), std::abort();
  return reinterpret_cast<Signature*>(found);
}

/// One call, with WS_CUDA_SERIAL: alone, and the device is idle when it returns.
class Call {
 public:
  Call() {
    if (is_serial()) mutex().lock();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() {
    if (!is_serial()) return;
    static auto* const wait = real<cudaError_t()>("cudaDeviceSynchronize");
    wait();
    mutex().unlock();
  }

 private:
  static bool is_serial() {
    static const bool wanted = std::getenv("WS_CUDA_SERIAL") != nullptr;
    return wanted;
  }
  static std::mutex& mutex() {
    static auto* const one = new std::mutex;  // also for calls while the process ends
    return *one;
  }
};

std::mutex kernels_mutex;
std::set<std::string>& kernels() {
  static auto* const all = new std::set<std::string>;  // also for what is launched while the process ends
  return *all;
}

void note_kernel(const void* kernel) {
  static const bool wanted = std::getenv("WS_CUDA_KERNELS") != nullptr;
  if (!wanted) return;
  static auto* const name_of = real<cudaError_t(const char**, const void*)>("cudaFuncGetName");
  const char* name = nullptr;
  if (name_of(&name, kernel) != cudaSuccess || !name) return;
  const std::lock_guard lock(kernels_mutex);
  kernels().insert(name);
}

struct CountsAtExit {
  ~CountsAtExit() {
    write_kernels();
    const char* path = std::getenv("WS_CUDA_FAULT_COUNTS");
    std::FILE* file = path ? std::fopen(path, "w") : nullptr;
    if (!file) return;
    for (const Function& function : functions) {
      if (function.name) std::fprintf(file, "%s %lu\n", function.name.load(), function.calls.load());
    }
    std::fprintf(file, "any %lu\nfailed %lu\n", all_calls.load(), failed.load());
    std::fclose(file);
  }

  static void write_kernels() {
    const char* path = std::getenv("WS_CUDA_KERNELS");
    std::FILE* file = path ? std::fopen(path, "a") : nullptr;
    if (!file) return;
    for (const std::string& name : kernels()) std::fprintf(file, "%s\n", name.c_str());
    std::fclose(file);
  }
} counts_at_exit;

}  // namespace

#define WRAP(name, parameters, arguments) WRAP_AFTER(, name, parameters, arguments)
#define WRAP_AFTER(first, name, parameters, arguments)              \
  extern "C" cudaError_t name parameters {                          \
    const Call call;                                                \
    first;                                                          \
    if (fails(functions[__COUNTER__], #name)) return fault().error; \
    static auto* const next = real<cudaError_t parameters>(#name);  \
    return next arguments;                                          \
  }
// What gives something back does so, what waits has waited, and then they return the error: as the runtime's functions
// report what failed before.
#define WRAP_END(name, parameters, arguments)                           \
  extern "C" cudaError_t name parameters {                              \
    const Call call;                                                    \
    static auto* const next = real<cudaError_t parameters>(#name);      \
    const cudaError_t done = next arguments;                            \
    return fails(functions[__COUNTER__], #name) ? fault().error : done; \
  }

// Before they are used here, the CUDA runtime may be used by what is constructed earlier: all of the above is constant
// or made at its first use.
WRAP(cudaDeviceGetAttribute, (int* value, cudaDeviceAttr attribute, int device), (value, attribute, device))
WRAP(cudaDeviceGetP2PAttribute, (int* value, cudaDeviceP2PAttr attribute, int from, int to),
     (value, attribute, from, to))
WRAP_END(cudaDeviceSynchronize, (), ())
WRAP(cudaEventCreate, (cudaEvent_t * event), (event))
WRAP(cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags), (event, flags))
WRAP_END(cudaEventDestroy, (cudaEvent_t event), (event))
WRAP(cudaEventElapsedTime, (float* ms, cudaEvent_t begin, cudaEvent_t end), (ms, begin, end))
WRAP(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream))
WRAP_END(cudaEventSynchronize, (cudaEvent_t event), (event))
WRAP_END(cudaFreeAsync, (void* memory, cudaStream_t stream), (memory, stream))
WRAP(cudaFuncGetAttributes, (cudaFuncAttributes * attributes, const void* kernel), (attributes, kernel))
WRAP(cudaFuncSetAttribute, (const void* kernel, cudaFuncAttribute attribute, int value), (kernel, attribute, value))
WRAP(cudaGetDevice, (int* device), (device))
WRAP(cudaGetDeviceCount, (int* count), (count))
WRAP(cudaGetDeviceProperties, (cudaDeviceProp * properties, int device), (properties, device))
WRAP(cudaHostRegister, (void* memory, size_t bytes, unsigned flags), (memory, bytes, flags))
WRAP_END(cudaHostUnregister, (void* memory), (memory))
WRAP_AFTER(note_kernel(kernel), cudaLaunchKernel,
           (const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream),
           (kernel, grid, block, arguments, shared, stream))
WRAP_AFTER(note_kernel(kernel), cudaLaunchKernelExC,
           (const cudaLaunchConfig_t* configuration, const void* kernel, void** arguments),
           (configuration, kernel, arguments))
WRAP(cudaMemGetInfo, (size_t * free, size_t* total), (free, total))
WRAP(cudaMemPoolCreate, (cudaMemPool_t * pool, const cudaMemPoolProps* properties), (pool, properties))
WRAP_END(cudaMemPoolDestroy, (cudaMemPool_t pool), (pool))
WRAP(cudaMemPoolGetAttribute, (cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value), (pool, attribute, value))
WRAP(cudaMemPoolSetAccess, (cudaMemPool_t pool, const cudaMemAccessDesc* access, size_t count), (pool, access, count))
WRAP(cudaMemPoolSetAttribute, (cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value), (pool, attribute, value))
WRAP(cudaMemPoolTrimTo, (cudaMemPool_t pool, size_t bytes), (pool, bytes))
WRAP(cudaMemcpyAsync, (void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream),
     (to, from, bytes, kind, stream))
WRAP(cudaMemsetAsync, (void* memory, int value, size_t bytes, cudaStream_t stream), (memory, value, bytes, stream))
WRAP(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
     (int* blocks, const void* kernel, int threads, size_t shared, unsigned flags),
     (blocks, kernel, threads, shared, flags))
WRAP(cudaPointerGetAttributes, (cudaPointerAttributes * attributes, const void* memory), (attributes, memory))
WRAP(cudaSetDevice, (int device), (device))
WRAP(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), (stream, flags))
WRAP_END(cudaStreamDestroy, (cudaStream_t stream), (stream))
WRAP_END(cudaStreamSynchronize, (cudaStream_t stream), (stream))
WRAP(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags), (stream, event, flags))
WRAP_AFTER(note_kernel(kernel), __cudaLaunchKernel,
           (void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream),
           (kernel, grid, block, arguments, shared, stream))  // what <<<>>> calls since CUDA 13

extern "C" cudaError_t cudaMallocFromPoolAsync(void** memory, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  const Call call;
  static Function& function = functions[__COUNTER__];
  if (fails(function, "cudaMallocFromPoolAsync")) return fault().error;
  static auto* const next = real<cudaError_t(void**, size_t, cudaMemPool_t, cudaStream_t)>("cudaMallocFromPoolAsync");
  static auto* const fill = real<cudaError_t(void*, int, size_t, cudaStream_t)>("cudaMemsetAsync");
  const cudaError_t done = next(memory, bytes, pool, stream);
  if (done != cudaSuccess || !is_fault("fill", function.calls)) return done;
  ++failed;
  return fill(*memory, fault().error, bytes, stream);
}

extern "C" cudaError_t cudaGetLastError() {
  const cudaError_t mine = last_error;
  last_error = cudaSuccess;
  static auto* const next = real<cudaError_t()>("cudaGetLastError");
  const cudaError_t theirs = next();
  return mine != cudaSuccess ? mine : theirs;
}

extern "C" cudaError_t cudaPeekAtLastError() {
  if (last_error != cudaSuccess) return last_error;
  static auto* const next = real<cudaError_t()>("cudaPeekAtLastError");
  return next();
}
