# How every lbw target is compiled: warnings, repeatable arithmetic, sanitizers, coverage.
function(lbw_compile_settings target)
  # No fused multiply-add unless the source says so: results then repeat between compilers.
  target_compile_options(${target} PRIVATE -ffp-contract=off -Wall -Wextra -Wconversion -Wshadow)
  if(LBW_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(LBW_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${LBW_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${LBW_SANITIZE})
    # sanitizers keep running after a report unless told otherwise, and a test would pass
    target_compile_options(${target} PRIVATE -fno-sanitize-recover=all)
  endif()
  if(LBW_COVERAGE)
    target_compile_options(${target} PRIVATE --coverage -fprofile-update=atomic)
    target_link_options(${target} PUBLIC --coverage)
  endif()
endfunction()

# Renames Eigen's namespace. A program that uses lbw compiles Eigen's templates too, with its own
# flags, and the linker keeps one of two functions of the same name. lbw would then run code compiled
# for another alignment. Tests that include headers of src/ need the same name.
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
