# Installs headers, library, program, the CMake package `lbw` and lbw.pc for pkg-config.
include(CMakePackageConfigHelpers)
set(LBW_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/lbw)

install(TARGETS lbw EXPORT lbwTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/lbw "${PROJECT_BINARY_DIR}/include/lbw"
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
if(LBW_BUILD_CLI)
  # the program finds a shared library relative to its own location
  file(RELATIVE_PATH LBW_LIBRARY_FROM_PROGRAM
    "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
  set_target_properties(lbw_program PROPERTIES INSTALL_RPATH "${LBW_OWN_FOLDER}/${LBW_LIBRARY_FROM_PROGRAM}")
  install(TARGETS lbw_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # manual pages and completion scripts, if they were built
  install(DIRECTORY "${PROJECT_BINARY_DIR}/share/" DESTINATION ${CMAKE_INSTALL_DATAROOTDIR} OPTIONAL)
endif()

install(EXPORT lbwTargets NAMESPACE lbw:: DESTINATION ${LBW_PACKAGE_DIR})
get_target_property(LBW_LIBRARY_TYPE lbw TYPE)
configure_package_config_file(cmake/lbwConfig.cmake.in lbwConfig.cmake
  INSTALL_DESTINATION ${LBW_PACKAGE_DIR})
write_basic_package_version_file(lbwConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/lbwConfig.cmake" "${PROJECT_BINARY_DIR}/lbwConfigVersion.cmake"
  DESTINATION ${LBW_PACKAGE_DIR})

# A static library does not link its dependencies itself, so every program needs them.
set(LBW_PC_REQUIRES "eigen3")
set(LBW_PC_PRIVATE "libhwy libhwy-contrib ${SPNG_MODULE_NAME} zlib libzstd")
if(LBW_LIBRARY_TYPE STREQUAL "STATIC_LIBRARY")
  string(APPEND LBW_PC_REQUIRES " ${LBW_PC_PRIVATE}")
  set(LBW_PC_PRIVATE "")
endif()
file(RELATIVE_PATH LBW_PREFIX_FROM_PC
  "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
configure_file(cmake/lbw.pc.in lbw.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/lbw.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
