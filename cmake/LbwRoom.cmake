# lbw_add_room(gaussian SOURCES map.cpp barycenter.cpp USES linalg)
#
# Adds the sources of one directory of src/ to the library. USES lists the rooms that it may
# include, and PUBLIC the rooms of which it may include only the public headers. A test
# (tests/architecture) compares these lines with every #include.
function(lbw_add_room room)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;PUBLIC" ${ARGN})
  list(TRANSFORM ARG_SOURCES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  target_sources(lbw PRIVATE ${ARG_SOURCES})
endfunction()
