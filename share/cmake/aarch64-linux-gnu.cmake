# Compiles for arm64 on another machine, with Debian's cross compiler and its libraries of that architecture:
#   dpkg --add-architecture arm64 && apt-get update
#   apt-get install g++-aarch64-linux-gnu lib{hts,isal,divsufsort,tbb,fmt,hwy}-dev:arm64 libcli11-dev
#   cmake -D CMAKE_TOOLCHAIN_FILE=share/cmake/aarch64-linux-gnu.cmake -D WS_TESTS=OFF ...

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
# pkg-config of this machine, asked for the libraries of that one.
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
