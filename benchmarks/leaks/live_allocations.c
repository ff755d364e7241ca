/* Counts blocks of memory that were taken and not given back, in a process that is started with this in LD_PRELOAD.
 * glibc alone: what it calls its own functions is taken from there. */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);
extern void __libc_free(void*);

static atomic_llong live;

static void* counted(void* block) {
  if (block != NULL) atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
  return block;
}

long long live_allocations(void) { return atomic_load(&live); }

void* malloc(size_t bytes) { return counted(__libc_malloc(bytes)); }
void* calloc(size_t count, size_t bytes) { return counted(__libc_calloc(count, bytes)); }
void* memalign(size_t boundary, size_t bytes) { return counted(__libc_memalign(boundary, bytes)); }
void* aligned_alloc(size_t boundary, size_t bytes) { return counted(__libc_memalign(boundary, bytes)); }

int posix_memalign(void** block, size_t boundary, size_t bytes) {
  if (boundary < sizeof(void*) || (boundary & (boundary - 1)) != 0) return EINVAL;
  void* found = counted(__libc_memalign(boundary, bytes));
  if (found == NULL) return ENOMEM;
  *block = found;
  return 0;
}

void free(void* block) {
  if (block != NULL) atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
  __libc_free(block);
}

void* realloc(void* block, size_t bytes) {
  if (block == NULL) return malloc(bytes);
  if (bytes == 0) {
    free(block);
    return NULL;
  }
  return __libc_realloc(block, bytes);
}
