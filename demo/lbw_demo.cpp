// SPDX-License-Identifier: MIT
// The demo program, called by demo/run.
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "demo/demo.hpp"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (arguments.size() == 3 && arguments[0] == "silhouettes") {
      lbw::demo::draw_silhouettes(arguments[1], arguments[2]);
    } else if (arguments.size() == 2 && arguments[0] == "clinics") {
      lbw::demo::make_clinics(arguments[1]);
    } else if (arguments.size() == 5 && arguments[0] == "transported") {
      lbw::demo::draw_transported(arguments[1], arguments[2], arguments[3], arguments[4]);
    } else {
      std::cerr << "lbw_demo silhouettes OUTLINES FOLDER\n"
                   "lbw_demo clinics FOLDER\n"
                   "lbw_demo transported SOURCE.csv TRANSPORTED.csv TARGET.csv PICTURE.png\n";
      return 2;
    }
  } catch (const std::exception& error) {
    std::cerr << "lbw_demo: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
