/* Counts of calls, kept by the thread that makes them: its own block is found through thread-local storage and changed
   without a lock. Blocks are never given back; a thread that ends leaves its block, figures and all, to a later one.
   The totals are the sum of all blocks. */
#pragma once
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define SHOWN __attribute__((visibility("default")))

/* In the order in which they are written. rooftop.observe.call_counts knows the same names. reread is none of the
   program's calls: it has the files that were read beyond their size, and the bytes beyond it. */
#define COUNTED_CALLS(X) \
  X(malloc)              \
  X(calloc)              \
  X(realloc)             \
  X(reallocarray)        \
  X(posix_memalign)      \
  X(aligned_alloc)       \
  X(memalign)            \
  X(free)                \
  X(mmap)                \
  X(munmap)              \
  X(read)                \
  X(pread)               \
  X(readv)               \
  X(fread)               \
  X(write)               \
  X(pwrite)              \
  X(writev)              \
  X(fwrite)              \
  X(lseek)               \
  X(open)                \
  X(openat)              \
  X(fopen)               \
  X(close)               \
  X(fclose)              \
  X(fsync)               \
  X(fdatasync)           \
  X(reread)

#define NUMBER_OF(name) CALL_##name,
enum call { COUNTED_CALLS(NUMBER_OF) CALLS };
#undef NUMBER_OF

enum { POWERS = 64 };

struct figures {
  _Atomic uint64_t calls, bytes, ns;
};

struct counts {
  struct figures of[CALLS];
  _Atomic uint64_t sizes[POWERS]; /* allocations of at least 2^i and less than 2^(i+1) bytes, none included in i = 0 */
  _Atomic int taken;
} __attribute__((aligned(128)));

/* This thread's block; NULL before its first call and after its last destructor of thread-specific data. */
extern _Thread_local struct counts* own_counts __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Counts a call of a thread that has no block: takes one, or shares one if none is to be had. `power`: that of the size
   of an allocation, otherwise negative. */
void count_first(enum call call, uint64_t bytes, uint64_t ns, int power);

/* What is read of each file, until it is closed: bytes beyond its size were read before. Files of high numbers, and
   those that are read by way of a FILE, are left out. */
void note_opened(int file);
void note_read(int file, uint64_t bytes);
void note_closing(int file);
void note_end(void);
void forget_reads(void);

/* Only the owner writes, others read: no locked instruction is needed. */
static inline void add(_Atomic uint64_t* figure, uint64_t more) {
  atomic_store_explicit(figure, atomic_load_explicit(figure, memory_order_relaxed) + more, memory_order_relaxed);
}

static inline void count(enum call call, uint64_t bytes, uint64_t ns) {
  struct counts* own = own_counts;
  if (__builtin_expect(own == NULL, 0)) {
    count_first(call, bytes, ns, -1);
    return;
  }
  struct figures* figures = &own->of[call];
  add(&figures->calls, 1);
  add(&figures->bytes, bytes);
  add(&figures->ns, ns);
}

/* The largest power of two that is not larger; 0 for nothing. */
static inline int power_of(size_t size) { return 63 - __builtin_clzll((unsigned long long)size | 1); }

/* An allocation: no clock, which would take longer than it. */
static inline void count_allocation(enum call call, size_t size) {
  struct counts* own = own_counts;
  if (__builtin_expect(own == NULL, 0)) {
    count_first(call, size, 0, power_of(size));
    return;
  }
  add(&own->of[call].calls, 1);
  add(&own->of[call].bytes, size);
  add(&own->sizes[power_of(size)], 1);
}

/* A call that has no bytes and takes no time worth the clock's. */
static inline void count_only(enum call call) {
  struct counts* own = own_counts;
  if (__builtin_expect(own == NULL, 0)) {
    count_first(call, 0, 0, -1);
  } else {
    add(&own->of[call].calls, 1);
  }
}
