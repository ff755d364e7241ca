/* Calls a library as a program of HDF5 1.8 does. */
#include <stdio.h>

int H5Fopen(const char* name, unsigned flags, int access);
int H5Fcreate(const char* name, unsigned flags, int creation, int access);
int H5Dopen2(int place, const char* name, int access);
int H5Dcreate2(int place, const char* name, int type, int space, int links, int creation, int access);
int H5Dread(int dataset, int type, int memory, int selection, int transfer, void* to);

int main(void) {
  int read = 0;
  const int file = H5Fopen("f", 7, 0), set = H5Dopen2(file, "d", -1);
  const int got = H5Dread(set, -2, 3, -4, 5, &read);
  printf("%d %d %d %d", file, set, got, read);
  printf(" %x %d\n", (unsigned)H5Fcreate("f", 7, -2, -3), H5Dcreate2(1, "d", -2, 3, -4, 5, -6));
  return 0;
}
