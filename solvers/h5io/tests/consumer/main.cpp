// A file that is not HDF5 is reported in one line.
#include <cstdio>
#include <rooftop/h5io.hpp>

int main() {
  try {
    const rooftop::h5io::File file("/dev/null");
  } catch (const rooftop::h5io::FileError& error) {
    std::puts(error.what());
    return 0;
  }
  return 1;
}
