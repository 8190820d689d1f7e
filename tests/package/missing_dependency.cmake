# cmake -D SOURCE_DIR=... -D WORK_DIR=... -D GENERATOR=... -D HIDDEN=... -D EXPECTED=...
#       -P missing_dependency.cmake
#
# Configures lbw without the package HIDDEN, which must fail with the message EXPECTED.
file(REMOVE_RECURSE "${WORK_DIR}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${WORK_DIR}" -G "${GENERATOR}"
    -D LBW_BUILD_BENCHMARKS=ON -D CMAKE_DISABLE_FIND_PACKAGE_${HIDDEN}=ON
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE error)
if(result EQUAL 0)
  message(FATAL_ERROR "configured without ${HIDDEN}:\n${output}")
endif()
string(REGEX REPLACE "[ \n]+" " " words "${error}")  # CMake breaks and indents its lines
string(FIND "${words}" "${EXPECTED}" place)
if(place EQUAL -1)
  message(FATAL_ERROR "expected\n  ${EXPECTED}\nseen\n${error}")
endif()
