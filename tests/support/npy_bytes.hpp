// SPDX-License-Identifier: MIT
// NumPy files assembled by hand.
#pragma once

#include <string>

namespace lbw {

/// A file with this dictionary and these values, format 1.0.
inline std::string npy(const std::string& dictionary, const std::string& values) {
  const auto low = static_cast<char>(dictionary.size() % 256);
  const auto high = static_cast<char>(dictionary.size() / 256);
  return std::string("\x93NUMPY\x01\x00", 8) + low + high + dictionary + values;
}

inline std::string npy_dictionary(const std::string& descr, const std::string& shape,
                                  const std::string& fortran_order) {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran_order + ", 'shape': " + shape +
         ", }";
}

/// The values begin directly after the dictionary.
inline std::string npy_of(const std::string& descr, const std::string& shape,
                          const std::string& values, const char* fortran_order = "False") {
  return npy(npy_dictionary(descr, shape, fortran_order), values);
}

/// The values begin at a multiple of 64 bytes, as in NumPy.
inline std::string padded_npy_of(const std::string& descr, const std::string& shape,
                                 const std::string& values, const char* fortran_order = "False") {
  std::string dictionary = npy_dictionary(descr, shape, fortran_order);
  dictionary.resize(128 - 10, ' ');
  return npy(dictionary, values);
}

}  // namespace lbw
