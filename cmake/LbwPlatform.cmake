# The systems and compilers that lbw supports (docs/portability.md), and what differs between them.

# lbw_check_platform(Linux GNU 12.2): stops with the reason if lbw cannot be built with these.
function(lbw_check_platform system compiler version)
  if(system STREQUAL "Windows")
    message(FATAL_ERROR
      "lbw does not support Windows, because it reads and replaces files with POSIX calls. Build it "
      "in the Windows Subsystem for Linux (WSL) instead, as on Linux.")
  elseif(NOT system MATCHES "^(Linux|Darwin)$")
    message(FATAL_ERROR
      "lbw supports Linux and macOS, but not ${system}. Build it in a container or a virtual machine "
      "with Linux, or port src/core/system_linux.cpp (see docs/portability.md).")
  endif()
  set(oldest_GNU 11)
  set(oldest_Clang 14)
  set(oldest_AppleClang 15)
  if(NOT DEFINED oldest_${compiler})
    message(WARNING "lbw was never built with the compiler ${compiler}. Known are GCC and Clang.")
  elseif(version VERSION_LESS "${oldest_${compiler}}")
    message(FATAL_ERROR
      "lbw needs GCC ${oldest_GNU}, Clang ${oldest_Clang}, Apple Clang ${oldest_AppleClang} or newer "
      "for C++20, but the compiler is ${compiler} ${version}. Select a newer one, for example with "
      "-D CMAKE_CXX_COMPILER=g++-12.")
  endif()
endfunction()

# Sets LBW_LIBRARY_FLAGS to the flags with which the standard library has std::jthread and
# std::stop_token: LLVM's library has them behind a flag before version 20, and none before 18.
function(lbw_find_library_flags)
  set(LBW_LIBRARY_FLAGS "" PARENT_SCOPE)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    return()
  endif()
  include(CheckCXXSourceCompiles)
  find_package(Threads REQUIRED)
  set(CMAKE_CXX_STANDARD 20)
  set(CMAKE_REQUIRED_LIBRARIES Threads::Threads)
  set(code "#include <stop_token>\n#include <thread>\nint main() { std::jthread([](std::stop_token) {}); }")
  check_cxx_source_compiles("${code}" LBW_HAS_JTHREAD)
  if(LBW_HAS_JTHREAD)
    return()
  endif()
  set(CMAKE_REQUIRED_FLAGS -fexperimental-library)
  check_cxx_source_compiles("${code}" LBW_HAS_EXPERIMENTAL_JTHREAD)
  if(NOT LBW_HAS_EXPERIMENTAL_JTHREAD)
    message(FATAL_ERROR
      "lbw needs std::jthread, which the standard library of this compiler does not have. Use libc++ "
      "18 or newer, or GCC's library with -D CMAKE_CXX_FLAGS=-stdlib=libstdc++.")
  endif()
  set(LBW_LIBRARY_FLAGS -fexperimental-library PARENT_SCOPE)
endfunction()

# The folder of a program or library in its own list of search paths.
if(CMAKE_SYSTEM_NAME STREQUAL "Darwin")
  set(LBW_OWN_FOLDER "@loader_path")
else()
  set(LBW_OWN_FOLDER "$ORIGIN")
endif()
