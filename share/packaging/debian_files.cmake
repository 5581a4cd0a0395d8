# Run by cpack between installation and packing: what Debian's policy asks of each package. The man page is compressed,
# the licence becomes `copyright`, the changelog `changelog.gz`, and `changelog.Debian.gz` names the package's version.

# write_compressed(FILE TEXT): TEXT as FILE.gz, without name and time, so that each run gives the same bytes.
function(write_compressed file text)
  file(WRITE ${file} "${text}")
  execute_process(COMMAND gzip -9 -n -f ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(READ ${CPACK_WS_SOURCE}/LICENSE licence)
string(REGEX MATCH "Copyright \\(c\\) ([^\n]*)" copyright "${licence}")
set(copyright "${CMAKE_MATCH_1}")
string(REGEX REPLACE "^.*\n\n(Permission)" "\\1" licence "${licence}")
string(REGEX REPLACE "\n+$" "" licence "${licence}")
string(REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REPLACE "\n" "\n " licence " ${licence}")
set(copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: warpseed
Comment: Parts of Highway (Apache-2.0 or BSD-3-Clause) and CLI11 (BSD-3-Clause), libraries of headers, and with CUDA
 of CUB, Thrust and the CUDA runtime of NVIDIA, are compiled in.

Files: *
Copyright: ${copyright}
License: Expat

Files: share/warpseed/demo/*
Copyright: none
License: open-data
 Reads of the 1000 Genomes Project, a part of the reference GRCh37, exons and genes of RefSeq, which are published
 for use by everybody.

License: Expat
${licence}
")

file(READ ${CPACK_WS_SOURCE}/CHANGELOG.md changes)
set(version "${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(entry "warpseed (${version}) stable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}; what is new is in changelog.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")

foreach(component program development)
  string(TOUPPER ${component} upper)
  set(doc ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr/share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  file(WRITE ${doc}/copyright "${copyright}")
  write_compressed(${doc}/changelog "${changes}")
  write_compressed(${doc}/changelog.Debian "${entry}")
endforeach()
set(program ${CPACK_TEMPORARY_DIRECTORY}/program/usr/share)
file(REMOVE ${program}/doc/warpseed/LICENSE ${program}/doc/warpseed/CHANGELOG.md)
execute_process(COMMAND gzip -9 -n -f ${program}/man/man1/warpseed.1 COMMAND_ERROR_IS_FATAL ANY)
