# Decides whether the CUDA path is built (warpseed_with_cuda) and for which devices, and says why.
# Built for a GPU that answers on this machine; asked for elsewhere, for what CMAKE_CUDA_ARCHITECTURES names.

include(CheckLanguage)

# Sets `result` to whether the driver of this machine lists a GPU.
function(ws_find_gpu result)
  execute_process(COMMAND nvidia-smi -L OUTPUT_VARIABLE gpus ERROR_QUIET RESULT_VARIABLE failed TIMEOUT 30)
  set(${result} OFF PARENT_SCOPE)
  if(failed EQUAL 0 AND gpus MATCHES "GPU 0")
    set(${result} ON PARENT_SCOPE)
  endif()
endfunction()

# Enables CUDA where a toolkit is found. A macro: languages are enabled in the scope of the project.
macro(ws_enable_cuda)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    if(ws_gpu_answers)
      set(CMAKE_CUDA_ARCHITECTURES native)
    else()
      set(CMAKE_CUDA_ARCHITECTURES "80-real;90")  # Ampere, Hopper, and PTX for what comes after
    endif()
  endif()
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS /usr/local/cuda/bin/nvcc)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit 12.4 QUIET)
  endif()
endmacro()

if(NOT WS_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "WS_CUDA=${WS_CUDA} is none of AUTO, ON and OFF")
endif()
set(warpseed_with_cuda OFF)
ws_find_gpu(ws_gpu_answers)
if(WS_CUDA STREQUAL "OFF")
  message(STATUS "warpseed: CPU path only, as asked for (WS_CUDA=OFF)")
elseif(WS_CUDA STREQUAL "AUTO" AND NOT ws_gpu_answers)
  message(STATUS "warpseed: CPU path only: nvidia-smi -L lists no GPU here; "
    "share/build.sh --cuda (WS_CUDA=ON) builds the CUDA path all the same")
else()
  ws_enable_cuda()
  if(CMAKE_CUDA_COMPILER AND CUDAToolkit_FOUND)
    set(warpseed_with_cuda ON)
  elseif(WS_CUDA STREQUAL "ON")
    message(FATAL_ERROR "WS_CUDA=ON, but no CUDA toolkit of version 12.4 or newer was found (nvcc on the PATH?)")
  else()
    message(STATUS "warpseed: CPU path only: a GPU answers here, but no CUDA toolkit of version 12.4 or newer was found; "
      "install one or put its nvcc on the PATH")
  endif()
endif()

if(warpseed_with_cuda)
  # g++ 12 sees uninitialised values in CUB's own host code at some optimisation levels.
  string(APPEND CMAKE_CUDA_FLAGS " -Xcompiler=-Wno-maybe-uninitialized")
  if(WS_CUDA STREQUAL "ON")
    set(ws_reason "as asked for (WS_CUDA=ON)")
  else()
    set(ws_reason "since a GPU answers here")
  endif()
  message(STATUS "warpseed: CUDA path built, ${ws_reason}, with nvcc ${CMAKE_CUDA_COMPILER_VERSION} "
    "for architectures ${CMAKE_CUDA_ARCHITECTURES}")
endif()
