// The only macro of the project: marks functions that both the CPU loops and the CUDA kernels call.
#pragma once

#ifdef __CUDACC__
#define WS_HD __host__ __device__
#else
#define WS_HD
#endif
