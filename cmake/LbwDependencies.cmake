# All dependencies, found with find_package or pkg-config. If one is missing, the configuration
# stops and lists its name in each package manager.

function(lbw_report_missing name)
  cmake_parse_arguments(ARG "" "DEBIAN;FEDORA;HOMEBREW;VCPKG" "" ${ARGN})
  message(FATAL_ERROR
    "lbw needs ${name}, which was not found. Install it with one of\n"
    "  Debian, Ubuntu:  apt-get install ${ARG_DEBIAN}\n"
    "  Fedora:          dnf install ${ARG_FEDORA}\n"
    "  Homebrew:        brew install ${ARG_HOMEBREW}\n"
    "  vcpkg:           vcpkg install ${ARG_VCPKG}")
endfunction()

# lbw_require(Eigen3 VERSION 3.4 DEBIAN libeigen3-dev FEDORA ... HOMEBREW ... VCPKG ...)
#
# The version is compared here instead of by find_package, because Eigen 5, the successor of 3.4,
# declares itself incompatible with it.
macro(lbw_require package)
  cmake_parse_arguments(LBW_REQUIRE "" "VERSION" "" ${ARGN})
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND OR ${package}_VERSION VERSION_LESS "${LBW_REQUIRE_VERSION}")
    string(STRIP "${package} ${LBW_REQUIRE_VERSION}" LBW_REQUIRE_NAME)
    lbw_report_missing("${LBW_REQUIRE_NAME}" ${LBW_REQUIRE_UNPARSED_ARGUMENTS})
  endif()
endmacro()

# lbw_require_module(SPNG libspng DEBIAN ... FEDORA ... HOMEBREW ... VCPKG ... MODULES spng libspng)
#
# For libraries without a CMake package on Debian: pkg-config finds them under one of their names.
# The target is PkgConfig::SPNG.
macro(lbw_require_module prefix name)
  cmake_parse_arguments(LBW_REQUIRE "" "" "MODULES" ${ARGN})  # the last, and takes all that follow
  pkg_search_module(${prefix} QUIET IMPORTED_TARGET ${LBW_REQUIRE_MODULES})
  if(NOT ${prefix}_FOUND)
    lbw_report_missing("${name}" ${LBW_REQUIRE_UNPARSED_ARGUMENTS})
  endif()
endmacro()

find_package(Threads REQUIRED)
lbw_require(Eigen3 VERSION 3.4
  DEBIAN libeigen3-dev FEDORA eigen3-devel HOMEBREW eigen VCPKG eigen3)
lbw_require(hwy VERSION 1.0
  DEBIAN libhwy-dev FEDORA highway-devel HOMEBREW highway VCPKG highway)
lbw_require(nlohmann_json VERSION 3.10
  DEBIAN nlohmann-json3-dev FEDORA json-devel HOMEBREW nlohmann-json VCPKG nlohmann-json)
lbw_require(PkgConfig
  DEBIAN pkg-config FEDORA pkgconf-pkg-config HOMEBREW pkgconf VCPKG pkgconf)
lbw_require_module(SPNG libspng
  DEBIAN libspng-dev FEDORA libspng-devel HOMEBREW libspng VCPKG libspng MODULES spng libspng)
lbw_require(ZLIB
  DEBIAN zlib1g-dev FEDORA zlib-devel HOMEBREW zlib VCPKG zlib)
lbw_require_module(ZSTD libzstd
  DEBIAN libzstd-dev FEDORA libzstd-devel HOMEBREW zstd VCPKG zstd MODULES libzstd)
if(LBW_BUILD_CLI)
  lbw_require(CLI11 VERSION 2.1
    DEBIAN libcli11-dev FEDORA cli11-devel HOMEBREW cli11 VCPKG cli11)
endif()
if(LBW_BUILD_TESTS)
  lbw_require(GTest VERSION 1.12
    DEBIAN libgtest-dev FEDORA gtest-devel HOMEBREW googletest VCPKG gtest)
endif()
if(LBW_BUILD_BENCHMARKS)
  lbw_require(benchmark VERSION 1.7
    DEBIAN libbenchmark-dev FEDORA google-benchmark-devel HOMEBREW google-benchmark VCPKG benchmark)
endif()
