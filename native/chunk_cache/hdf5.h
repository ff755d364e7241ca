/* The functions of HDF5 that are called here. Nothing is linked, and no header of HDF5 is read: since version 1.10,
   types and functions are those below in all versions. In 1.8 an hid_t has 4 bytes; its calls are passed on, which is
   right for what registers carry (x86-64, AArch64), and none is made. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define SHOWN __attribute__((visibility("default")))

typedef int64_t hid_t;
typedef int herr_t;
typedef uint64_t hsize_t;

enum { DEFAULT_LIST = 0, CHUNKED = 2, MOST_DIMENSIONS = 32 }; /* H5P_DEFAULT, H5D_CHUNKED, H5S_MAX_RANK */
enum { A_FILE = 1, A_GROUP = 2, A_DATASET = 5 };              /* H5I_FILE, H5I_GROUP, H5I_DATASET */

/* X(result, name, parameters): those that stand in the program's calls' place */
#define REPLACED_FUNCTIONS(X)                                                                                     \
  X(herr_t, H5Dread, (hid_t dataset, hid_t memory_type, hid_t memory, hid_t selection, hid_t transfer, void* to)) \
  X(hid_t, H5Fopen, (const char* name, unsigned flags, hid_t access))                                             \
  X(hid_t, H5Fcreate, (const char* name, unsigned flags, hid_t creation, hid_t access))                           \
  X(hid_t, H5Dopen2, (hid_t place, const char* name, hid_t access))                                               \
  X(hid_t, H5Dcreate2,                                                                                            \
    (hid_t place, const char* name, hid_t type, hid_t space, hid_t links, hid_t creation, hid_t access))          \
  X(hid_t, H5Oopen, (hid_t place, const char* name, hid_t access))                                                \
  X(hid_t, H5Gopen2, (hid_t place, const char* name, hid_t access))                                               \
  X(hid_t, H5Gcreate2, (hid_t place, const char* name, hid_t links, hid_t creation, hid_t access))

#define CALLED_FUNCTIONS(X)                                                                          \
  X(herr_t, H5open, (void))                                                                          \
  X(herr_t, H5get_libversion, (unsigned* major, unsigned* minor, unsigned* release))                 \
  X(hid_t, H5Dget_create_plist, (hid_t dataset))                                                     \
  X(hid_t, H5Dget_access_plist, (hid_t dataset))                                                     \
  X(hid_t, H5Dget_space, (hid_t dataset))                                                            \
  X(hid_t, H5Dget_type, (hid_t dataset))                                                             \
  X(long, H5Fget_name, (hid_t object, char* name, size_t size))                                      \
  X(long, H5Iget_name, (hid_t object, char* name, size_t size))                                      \
  X(int, H5Iget_type, (hid_t number))                                                                \
  X(herr_t, H5Pget, (hid_t list, const char* name, void* value))                                     \
  X(int, H5Pget_layout, (hid_t list))                                                                \
  X(int, H5Pget_chunk, (hid_t list, int most, hsize_t* lengths))                                     \
  X(int, H5Pget_nfilters, (hid_t list))                                                              \
  X(herr_t, H5Pget_chunk_cache, (hid_t list, size_t * slots, size_t * bytes, double* preemption))    \
  X(herr_t, H5Pset_chunk_cache, (hid_t list, size_t slots, size_t bytes, double preemption))         \
  X(herr_t, H5Pget_cache, (hid_t list, int* unused, size_t* slots, size_t* bytes, double* evicting)) \
  X(herr_t, H5Pset_cache, (hid_t list, int unused, size_t slots, size_t bytes, double evicting))     \
  X(hid_t, H5Pcopy, (hid_t list))                                                                    \
  X(herr_t, H5Pclose, (hid_t list))                                                                  \
  X(int, H5Sget_simple_extent_dims, (hid_t space, hsize_t * lengths, hsize_t * most))                \
  X(herr_t, H5Sclose, (hid_t space))                                                                 \
  X(size_t, H5Tget_size, (hid_t type))                                                               \
  X(herr_t, H5Tclose, (hid_t type))

/* One library of HDF5; a program may have several. `usable`: its version is one whose functions are those above. */
struct hdf5 {
  const struct hdf5* next;
  int usable;
  unsigned version[3];
  const hid_t* default_file_access; /* that of H5P_FILE_ACCESS_DEFAULT */
#define POINTER(result, name, parameters) result(*name) parameters;
  REPLACED_FUNCTIONS(POINTER)
  CALLED_FUNCTIONS(POINTER)
#undef POINTER
};

/* Return the library that a caller's calls are meant for. Ends the program, with a message, if there is none. */
const struct hdf5* hdf5_of(const void* caller);
#define HDF5 hdf5_of(__builtin_return_address(0))

/* Return the first library that was found, each of which names its next; NULL if none was. */
const struct hdf5* found_libraries(void);
