# Finds what warpseed stands on; a missing piece ends with the name of its Debian and Ubuntu package.

find_package(PkgConfig)
if(NOT PkgConfig_FOUND)
  message(FATAL_ERROR "pkg-config is missing. Install it: apt-get install pkg-config")
endif()

# ws_require_pkg(MODULE PACKAGE): a library known to pkg-config becomes PkgConfig::MODULE.
function(ws_require_pkg module package)
  pkg_check_modules(${module} QUIET IMPORTED_TARGET GLOBAL ${module})
  if(NOT ${module}_FOUND)
    message(FATAL_ERROR "${module} is missing. Install it: apt-get install ${package} (or run share/setup.sh)")
  endif()
endfunction()

# ws_require_cmake(NAME PACKAGE): a library that brings a CMake package of its own.
macro(ws_require_cmake name package)
  find_package(${name} QUIET)
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "${name} is missing. Install it: apt-get install ${package} (or run share/setup.sh)")
  endif()
endmacro()

# ws_require_header(VARIABLE HEADER PACKAGE): a library that is headers alone.
macro(ws_require_header variable header package)
  find_path(${variable} ${header})
  if(NOT ${variable})
    message(FATAL_ERROR "${header} is missing. Install it: apt-get install ${package} (or run share/setup.sh)")
  endif()
endmacro()

ws_require_pkg(htslib libhts-dev)
ws_require_pkg(libisal libisal-dev)
ws_require_pkg(libdivsufsort libdivsufsort-dev)
ws_require_pkg(libdivsufsort64 libdivsufsort-dev)
ws_require_pkg(libhwy libhwy-dev)
ws_require_cmake(TBB libtbb-dev)
ws_require_cmake(fmt libfmt-dev)
ws_require_header(CLI11_INCLUDE_DIR CLI/CLI.hpp libcli11-dev)
