# cmake -D CMAKE_DIR=... -D SYSTEM=... -D COMPILER=... -D COMPILER_VERSION=... -P refused_platform.cmake
#
# Prints what CMake says about a system and a compiler. The test compares it with the expected words.
include("${CMAKE_DIR}/LbwPlatform.cmake")
lbw_check_platform("${SYSTEM}" "${COMPILER}" "${COMPILER_VERSION}")
message(STATUS "supported")
