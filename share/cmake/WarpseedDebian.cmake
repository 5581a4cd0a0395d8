# cpack -G DEB makes two Debian packages: warpseed (component `program`) and libwarpseed-dev (`development`), or, built with
# CUDA, warpseed-cuda and libwarpseed-cuda-dev, which take their place. share/packaging/build_deb.sh runs it.

set(WS_DEBIAN_RELEASE 1 CACHE STRING "What follows the version in the name of Debian packages: 1~debian12")
set(WS_DEBIAN_MAINTAINER "the warpseed authors <warpseed@localhost>" CACHE STRING "Maintainer of the Debian packages")
set(WS_DEBIAN_ARCHITECTURE "" CACHE STRING "Architecture of the Debian packages, if it is not this machine's")
set(ws_variant)
set(ws_backend_note "It computes on the CPU; the package warpseed-cuda also computes on NVIDIA GPUs.")
if(warpseed_with_cuda)
  set(ws_variant -cuda)
  set(ws_backend_note "It computes on NVIDIA GPUs where there are one and its driver, else on the CPU.")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own: the first line of its description
set(CPACK_PACKAGE_NAME warpseed${ws_variant})
set(CPACK_PACKAGE_CONTACT "${WS_DEBIAN_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
  WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/share/packaging/debian_files.cmake)
set(CPACK_WS_SOURCE ${CMAKE_CURRENT_SOURCE_DIR})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SOURCE warpseed)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${WS_DEBIAN_RELEASE})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
if(WS_DEBIAN_ARCHITECTURE)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE ${WS_DEBIAN_ARCHITECTURE})
endif()

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME warpseed${ws_variant})
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS samtools)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION
  "align reads and search sequences in a genome, on CPU and GPU
warpseed aligns short and long reads to a genome with the flags of bwa mem and
writes SAM, BAM, CRAM or PAF, sorted and with duplicates marked when asked. It
finds exact patterns, matches between genomes and repeats, and merges identical
reads. The output does not depend on the number of threads or on the backend.
.
${ws_backend_note}")

# The library is static: who links with it also links with what it calls. fmt has another ABI in every major version.
string(REGEX MATCH "^[0-9]+" ws_fmt_major "${fmt_VERSION}")
math(EXPR ws_fmt_next "${ws_fmt_major} + 1")
string(JOIN ", " ws_development_depends libhts-dev libisal-dev libdivsufsort-dev libtbb-dev libhwy-dev
  "libfmt-dev (>= ${ws_fmt_major})" "libfmt-dev (<< ${ws_fmt_next}~)" pkg-config)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libwarpseed${ws_variant}-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${ws_development_depends}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "cmake, g++")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
  "align reads and search sequences from C++: library and headers
This package has the static library of warpseed, its headers, a CMake package
(find_package(warpseed)) and example programs: index a genome, search it, align
reads and pairs, compare sequences, sort suffixes.
.
${ws_backend_note}")

if(warpseed_with_cuda)
  foreach(part PROGRAM:warpseed DEVELOPMENT:libwarpseed-dev)
    string(REPLACE ":" ";" part ${part})
    list(GET part 0 component)
    list(GET part 1 replaced)
    set(CPACK_DEBIAN_${component}_PACKAGE_CONFLICTS ${replaced})
    set(CPACK_DEBIAN_${component}_PACKAGE_REPLACES ${replaced})
    set(CPACK_DEBIAN_${component}_PACKAGE_PROVIDES "${replaced} (= ${PROJECT_VERSION}-${WS_DEBIAN_RELEASE})")
  endforeach()
endif()
include(CPack)
