/* H5Dread, with what it reads of the file by pread: the driver of plain files does (sec2), and those above it. What
   other drivers read is not seen, nor what H5Dread_multi and filters' own threads do. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "../preload/processes.h"
#include "datasets.h"

static int observing;

/* The call of H5Dread that a thread is in. */
static _Thread_local struct {
  struct dataset* dataset;
  uint64_t pieces;
} now __attribute__((tls_model("initial-exec")));

static uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

SHOWN herr_t H5Dread(hid_t dataset, hid_t memory_type, hid_t memory, hid_t selection, hid_t transfer, void* to) {
  const struct hdf5* const hdf5 = HDF5;
  /* A filter or a conversion may read, too: that belongs to the call that it is in. */
  struct dataset* const seen = observing && hdf5->usable && now.dataset == NULL ? dataset_of(hdf5, dataset) : NULL;
  if (seen == NULL) return hdf5->H5Dread(dataset, memory_type, memory, selection, transfer, to);
  now.dataset = seen;
  now.pieces = 0;
  const uint64_t since_ns = now_ns();
  const herr_t got = hdf5->H5Dread(dataset, memory_type, memory, selection, transfer, to);
  atomic_fetch_add_explicit(&seen->ns, now_ns() - since_ns, memory_order_relaxed);
  atomic_fetch_add_explicit(&seen->calls, 1, memory_order_relaxed);
  uint64_t most = atomic_load_explicit(&seen->most_pieces, memory_order_relaxed);
  while (most < now.pieces && !atomic_compare_exchange_weak(&seen->most_pieces, &most, now.pieces)) {
  }
  now.dataset = NULL;
  return got;
}

#define READ(name, offset_type)                                           \
  static ssize_t (*_Atomic next_##name)(int, void*, size_t, offset_type); \
  SHOWN ssize_t name(int file, void* to, size_t size, offset_type at) {   \
    if (next_##name == NULL) find_functions();                            \
    const ssize_t got = next_##name(file, to, size, at);                  \
    if (now.dataset != NULL && got > 0) {                                 \
      ++now.pieces;                                                       \
      note_piece(now.dataset, (uint64_t)at, (uint64_t)got);               \
    }                                                                     \
    return got;                                                           \
  }
static void find_functions(void);
READ(pread, off_t)
READ(pread64, off64_t)

static void find_functions(void) {
  atomic_store(&next_pread, (ssize_t(*)(int, void*, size_t, off_t))dlsym(RTLD_NEXT, "pread"));
  atomic_store(&next_pread64, (ssize_t(*)(int, void*, size_t, off64_t))dlsym(RTLD_NEXT, "pread64"));
}

__attribute__((constructor)) static void begin_observing(void) {
  const int error = errno;
  const char* folder = getenv(folder_variable);
  observing = folder != NULL && folder[0] != '\0';
  find_functions();
  errno = error;
}
