/* The header is C, and what it declares can be called from C. */
#include "rooftop/h5io.h"

int h5io_from_c(const char* path, rooftop_h5io_file** file);

int h5io_from_c(const char* path, rooftop_h5io_file** file) {
  rooftop_h5io_options options;
  rooftop_h5io_default_options(&options);
  if (options.threads != 0 || options.library != 0) return -1;
  return rooftop_h5io_open(path, file);
}
