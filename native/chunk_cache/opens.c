/* The program's calls that open and create: they get larger caches, and what they make is noted. */
#include "datasets.h"
#include "larger.h"
#include "named.h"

/* After a call that failed none may follow, which would clear what HDF5 tells of the failure: the list stays. */
#define OPENING(call, parameters, change, note, ...)  \
  SHOWN hid_t call parameters {                       \
    const struct hdf5* const hdf5 = HDF5;             \
    const hid_t list = change(hdf5, access);          \
    const hid_t made = hdf5->call(__VA_ARGS__, list); \
    if (!hdf5->usable || made < 0) return made;       \
    if (list != access) hdf5->H5Pclose(list);         \
    note;                                             \
    return made;                                      \
  }
#define NAMED note_named(hdf5, place, name, made)
#define SAME(hdf5, list) (list)
OPENING(H5Fopen, (const char* name, unsigned flags, hid_t access), larger_for_file, (void)0, name, flags)
OPENING(H5Fcreate, (const char* name, unsigned flags, hid_t creation, hid_t access), larger_for_file,
        note_creation(name), name, flags, creation)
OPENING(H5Dopen2, (hid_t place, const char* name, hid_t access), larger_for_dataset, NAMED, place, name)
OPENING(H5Dcreate2, (hid_t place, const char* name, hid_t type, hid_t space, hid_t links, hid_t creation, hid_t access),
        larger_for_dataset, NAMED, place, name, type, space, links, creation)
OPENING(H5Oopen, (hid_t place, const char* name, hid_t access), SAME, NAMED, place, name)
OPENING(H5Gopen2, (hid_t place, const char* name, hid_t access), SAME, NAMED, place, name)
OPENING(H5Gcreate2, (hid_t place, const char* name, hid_t links, hid_t creation, hid_t access), SAME, NAMED, place,
        name, links, creation)
