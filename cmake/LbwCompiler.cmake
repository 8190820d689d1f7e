# Compile settings of all lbw targets: warnings, reproducible arithmetic, sanitizers, coverage.
function(lbw_compile_settings target)
  # No implicit fused multiply-add, so that results do not depend on the compiler.
  target_compile_options(${target} PRIVATE -ffp-contract=off -Wall -Wextra -Wconversion -Wshadow)
  if(LBW_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(LBW_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${LBW_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${LBW_SANITIZE})
    # by default, sanitizers continue after a report, and a test would pass
    target_compile_options(${target} PRIVATE -fno-sanitize-recover=all)
  endif()
  if(LBW_COVERAGE)
    target_compile_options(${target} PRIVATE --coverage -fprofile-update=atomic)
    target_link_options(${target} PUBLIC --coverage)
  endif()
endfunction()

# With LBW_PORTABLE, a program or module contains the C++ runtime and does not export symbols of its
# static libraries. Other modules of a Python process may have other versions of them. Functions that
# are newer than glibc 2.34 are replaced.
function(lbw_link_settings target)
  if(LBW_PORTABLE AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_link_options(${target} PRIVATE -static-libstdc++ "LINKER:--exclude-libs,ALL"
      "LINKER:--wrap=hypot,--wrap=arc4random")
    target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/glibc_2_34.cpp")
  endif()
endfunction()

# Renames Eigen's namespace. A program that uses lbw also compiles Eigen's templates, with its own
# flags, and the linker keeps only one of two functions of the same name. lbw could then run code
# compiled for another alignment. Tests that include headers of src/ need the same namespace.
function(lbw_use_own_eigen target)
  target_compile_definitions(${target} PRIVATE Eigen=lbw_eigen)
endfunction()

# Parses headers that most files include once for the whole target. A compiler cache works better
# without, and such a build finds the files that miss an #include.
function(lbw_precompile target)
  if(NOT CMAKE_CXX_COMPILER_LAUNCHER MATCHES "cache")
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
