# lbw_add_room(matching SOURCES plan.cpp assignment.cpp KERNELS scan.cpp USES device)
#
# Adds the sources of one directory of src/ to the library. KERNELS are sources that compile
# themselves once per instruction set. USES lists the rooms that it may include, and PUBLIC the rooms
# of which it may include only the public headers. A test (tests/architecture) compares these lines
# with every #include.
#
# A unity build compiles the SOURCES of a room as one file, and every kernel separately.
function(lbw_add_room room)
  cmake_parse_arguments(ARG "" "" "SOURCES;KERNELS;USES;PUBLIC" ${ARGN})
  list(TRANSFORM ARG_SOURCES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  list(TRANSFORM ARG_KERNELS PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  target_sources(lbw PRIVATE ${ARG_SOURCES} ${ARG_KERNELS})
  set_source_files_properties(${ARG_SOURCES} TARGET_DIRECTORY lbw PROPERTIES UNITY_GROUP ${room})
  set_source_files_properties(${ARG_KERNELS} TARGET_DIRECTORY lbw PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(LBW_BUILD_FUZZERS)  # no target tests the kernels, which take minutes to compile with sanitizers
    set_source_files_properties(${ARG_KERNELS} TARGET_DIRECTORY lbw PROPERTIES
      COMPILE_OPTIONS -fno-sanitize=all SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()
