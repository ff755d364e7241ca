/* A file that is none is refused in one line. */
#include <rooftop/h5io.h>
#include <stdio.h>

int main(void) {
  rooftop_h5io_file* file;
  const int status = rooftop_h5io_open("/dev/null", &file);
  printf("%s\n", rooftop_h5io_last_error());
  return status != ROOFTOP_H5IO_FILE_ERROR;
}
