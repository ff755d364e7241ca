/* A library with the calls of HDF5 1.8, whose numbers have 4 bytes: each has its sign and its value checked. */
#include <stddef.h>

typedef int hid_t;
int H5get_libversion(unsigned* major, unsigned* minor, unsigned* release) {
  *major = 1;
  *minor = 8;
  *release = 16;
  return 0;
}
hid_t H5Fopen(const char* name, unsigned flags, hid_t access) {
  return name[0] == 'f' && flags == 7 && access == 0 ? -5 : 0;
}
hid_t H5Fcreate(const char* name, unsigned flags, hid_t creation, hid_t access) {
  return name[0] == 'f' && flags == 7 && creation == -2 && access == -3 ? 0x7ffffff1 : 0;
}
hid_t H5Dopen2(hid_t place, const char* name, hid_t access) {
  return place == -5 && name[0] == 'd' && access == -1 ? 6 : 0;
}
hid_t H5Dcreate2(hid_t place, const char* name, hid_t type, hid_t space, hid_t links, hid_t creation, hid_t access) {
  return place == 1 && name[0] == 'd' && type == -2 && space == 3 && links == -4 && creation == 5 && access == -6 ? 7
                                                                                                                  : 0;
}
int H5Dread(hid_t dataset, hid_t type, hid_t memory, hid_t selection, hid_t transfer, void* to) {
  *(int*)to = 42;
  return dataset == 6 && type == -2 && memory == 3 && selection == -4 && transfer == 5 ? -9 : 0;
}
