/* The cure: caches of chunks that are larger than the program asks for, never smaller. A file's access list has what
   its datasets get; a list for a dataset is changed where the program gives one, since it may have a cache of its own.
 */
#include <errno.h>
#include <stdlib.h>

#include "hdf5.h"

/* ROOFTOP_CHUNK_CACHE=BYTES:SLOTS, of each dataset; 0 and 0: caches are as the program has them. */
static struct {
  size_t bytes, slots;
} wanted;

__attribute__((constructor)) static void read_wanted(void) {
  const int error = errno;
  const char* text = getenv("ROOFTOP_CHUNK_CACHE");
  char* end = NULL;
  if (text != NULL) {
    const unsigned long long bytes = strtoull(text, &end, 10);
    const unsigned long long slots = *end == ':' ? strtoull(end + 1, &end, 10) : 0;
    if (*end == '\0' && slots > 0 && bytes > 0) {
      wanted.bytes = bytes;
      wanted.slots = slots;
    }
  }
  errno = error;
}

static size_t larger(size_t one, size_t other) { return one > other ? one : other; }

/* Return a copy of a list with a larger cache; `list` itself where it is large enough or cannot be changed. */
static hid_t for_file(const struct hdf5* hdf5, hid_t list) {
  if (wanted.bytes == 0 || !hdf5->usable) return list;
  int unused = 0;
  size_t slots = 0, bytes = 0;
  double evicting = 0;
  const hid_t copy = hdf5->H5Pcopy(list == DEFAULT_LIST ? *hdf5->default_file_access : list);
  if (copy < 0) return list;
  if (hdf5->H5Pget_cache(copy, &unused, &slots, &bytes, &evicting) >= 0 &&
      (slots < wanted.slots || bytes < wanted.bytes) &&
      hdf5->H5Pset_cache(copy, unused, larger(slots, wanted.slots), larger(bytes, wanted.bytes), evicting) >= 0)
    return copy;
  hdf5->H5Pclose(copy);
  return list;
}

static hid_t for_dataset(const struct hdf5* hdf5, hid_t list) {
  if (wanted.bytes == 0 || !hdf5->usable || list == DEFAULT_LIST) return list;
  size_t slots = 0, bytes = 0;
  double preemption = 0;
  const hid_t copy = hdf5->H5Pcopy(list);
  if (copy < 0) return list;
  /* A list that leaves the cache to the file tells the default's figures. */
  if (hdf5->H5Pget_chunk_cache(copy, &slots, &bytes, &preemption) >= 0 &&
      (slots < wanted.slots || bytes < wanted.bytes) &&
      hdf5->H5Pset_chunk_cache(copy, larger(slots, wanted.slots), larger(bytes, wanted.bytes), preemption) >= 0)
    return copy;
  hdf5->H5Pclose(copy);
  return list;
}

/* After a call that failed none may follow, which would clear what HDF5 tells of the failure: the list stays. */
#define WITH_LARGER(change, name, parameters, ...)         \
  SHOWN hid_t name parameters {                            \
    const struct hdf5* const hdf5 = HDF5;                  \
    const hid_t list = change(hdf5, access);               \
    const hid_t made = hdf5->name(__VA_ARGS__, list);      \
    if (made >= 0 && list != access) hdf5->H5Pclose(list); \
    return made;                                           \
  }
WITH_LARGER(for_file, H5Fopen, (const char* name, unsigned flags, hid_t access), name, flags)
WITH_LARGER(for_file, H5Fcreate, (const char* name, unsigned flags, hid_t creation, hid_t access), name, flags,
            creation)
WITH_LARGER(for_dataset, H5Dopen2, (hid_t place, const char* name, hid_t access), place, name)
WITH_LARGER(for_dataset, H5Dcreate2,
            (hid_t place, const char* name, hid_t type, hid_t space, hid_t links, hid_t creation, hid_t access), place,
            name, type, space, links, creation)
