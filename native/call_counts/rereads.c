#include <errno.h>
#include <sys/stat.h>

#include "counts.h"

enum { FILES = 1024 };
static _Atomic uint64_t bytes_of[FILES];

static int is_known(int file) { return file >= 0 && file < FILES; }

void note_opened(int file) {
  if (is_known(file)) atomic_store_explicit(&bytes_of[file], 0, memory_order_relaxed);
}

void note_read(int file, uint64_t bytes) {
  if (is_known(file)) atomic_fetch_add_explicit(&bytes_of[file], bytes, memory_order_relaxed);
}

void note_closing(int file) {
  if (!is_known(file)) return;
  const uint64_t bytes = atomic_exchange_explicit(&bytes_of[file], 0, memory_order_relaxed);
  if (bytes == 0) return;
  const int error = errno;
  struct stat state;
  /* Files of /proc have no size, and are read again and again. */
  if (fstat(file, &state) == 0 && S_ISREG(state.st_mode) && state.st_size > 0 && bytes > (uint64_t)state.st_size) {
    count(CALL_reread, bytes - (uint64_t)state.st_size, 0);
  }
  errno = error;
}

void note_end(void) {
  for (int file = 0; file < FILES; ++file) note_closing(file);
}

void forget_reads(void) {
  for (int file = 0; file < FILES; ++file) note_opened(file);
}
