/* The cure: caches of chunks that are larger than the program asks for, never smaller. A file's access list has what
   its datasets get; a list for a dataset is changed where the program gives one, since it may have a cache of its own.
 */
#include "larger.h"

#include <errno.h>
#include <stdlib.h>

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

hid_t larger_for_file(const struct hdf5* hdf5, hid_t list) {
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

hid_t larger_for_dataset(const struct hdf5* hdf5, hid_t list) {
  if (wanted.bytes == 0 || !hdf5->usable || list == DEFAULT_LIST) return list;
  size_t slots = 0, bytes = 0;
  double preemption = 0;
  const hid_t copy = hdf5->H5Pcopy(list);
  if (copy < 0) return list;
  /* The properties themselves: what a list leaves to its file is the largest number, where H5Pget_chunk_cache tells the
     default. It stays, and the file's own list has the larger cache. */
  if (hdf5->H5Pget(copy, "rdcc_nslots", &slots) >= 0 && hdf5->H5Pget(copy, "rdcc_nbytes", &bytes) >= 0 &&
      hdf5->H5Pget(copy, "rdcc_w0", &preemption) >= 0 && (slots < wanted.slots || bytes < wanted.bytes) &&
      hdf5->H5Pset_chunk_cache(copy, larger(slots, wanted.slots), larger(bytes, wanted.bytes), preemption) >= 0)
    return copy;
  hdf5->H5Pclose(copy);
  return list;
}
