/* The allocator's functions: calls, bytes asked for and sizes. The next library's are called, so that an allocator that
   is preloaded too does its work. C++'s new comes by here as malloc, unless its allocator brings its own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "counts.h"

/* --- What dlsym allocates before it has told where allocators are; it is never given back. --- */

static _Alignas(16) unsigned char early_memory[4096];
static _Atomic size_t early_used;
static _Thread_local int finding __attribute__((tls_model("initial-exec")));

static int is_early(const void* memory) { return (uintptr_t)memory - (uintptr_t)early_memory < sizeof early_memory; }

static void* early(size_t size) {
  const size_t whole = (size + 15) / 16 * 16;
  const size_t at = size <= sizeof early_memory ? atomic_fetch_add(&early_used, whole) : sizeof early_memory;
  if (at + whole <= sizeof early_memory) return early_memory + at;
  errno = ENOMEM;
  return NULL;
}

static void* moved_early(void* memory, size_t size, void* to) {
  const size_t behind = (size_t)(early_memory + sizeof early_memory - (unsigned char*)memory);
  return to == NULL ? NULL : memmove(to, memory, size < behind ? size : behind);
}

/* --- The next library's functions. Each pointer leads to one that finds them all, until they are found. --- */

#define NEXT_FUNCTIONS(X)                                                                                   \
  X(void*, malloc, (size_t size), (size), early(size))                                                      \
  X(void*, calloc, (size_t number, size_t size), (number, size), early((number) * (size)))                  \
  X(void*, realloc, (void* memory, size_t size), (memory, size), memory == NULL ? early(size) : NULL)       \
  X(int, posix_memalign, (void** memory, size_t alignment, size_t size), (memory, alignment, size), ENOMEM) \
  X(void*, aligned_alloc, (size_t alignment, size_t size), (alignment, size), NULL)                         \
  X(void*, memalign, (size_t alignment, size_t size), (alignment, size), NULL)

static void find_functions(void);

#define DECLARE_NEXT(result, name, parameters, arguments, meanwhile) \
  static result first_##name parameters;                             \
  static result(*_Atomic next_##name) parameters = first_##name;
NEXT_FUNCTIONS(DECLARE_NEXT)
static void first_free(void* memory);
static void (*_Atomic next_free)(void* memory) = first_free;
#define NEXT(name) atomic_load_explicit(&next_##name, memory_order_relaxed)

#define DEFINE_FIRST(result, name, parameters, arguments, meanwhile) \
  static result first_##name parameters {                            \
    if (finding) return meanwhile;                                   \
    find_functions();                                                \
    return NEXT(name) arguments;                                     \
  }
NEXT_FUNCTIONS(DEFINE_FIRST)
static void first_free(void* memory) {
  if (finding) return;
  find_functions();
  NEXT(free)(memory);
}

/* All are known at once: what is early for one is early for all. */
static void find_functions(void) {
  const int error = errno;
  finding = 1;
#define FIND(result, name, parameters, arguments, meanwhile) \
  result(*const found_##name) parameters = (result(*) parameters)dlsym(RTLD_NEXT, #name);
  NEXT_FUNCTIONS(FIND)
  FIND(void, free, (void*), , )
#define KNOW(result, name, parameters, arguments, meanwhile) \
  if (found_##name != NULL) atomic_store_explicit(&next_##name, found_##name, memory_order_relaxed);
  NEXT_FUNCTIONS(KNOW)
  KNOW(void, free, (void*), , )
  finding = 0;
  errno = error;
}

__attribute__((constructor)) static void find_at_start(void) { find_functions(); }

/* --- What the program calls. A call that fails counts, with no bytes. --- */

static void* counted(enum call call, size_t size, void* memory) {
  if (__builtin_expect(memory != NULL, 1)) {
    count_allocation(call, size);
  } else {
    count_only(call);
  }
  return memory;
}

static void* reallocated(enum call call, void* memory, size_t size) {
  if (is_early(memory)) return counted(call, size, moved_early(memory, size, NEXT(malloc)(size)));
  return counted(call, size, NEXT(realloc)(memory, size));
}

SHOWN void* malloc(size_t size) { return counted(CALL_malloc, size, NEXT(malloc)(size)); }

SHOWN void free(void* memory) {
  count_only(CALL_free);
  if (!is_early(memory)) NEXT(free)(memory);
}

SHOWN void* calloc(size_t number, size_t size) {
  return counted(CALL_calloc, number * size, NEXT(calloc)(number, size));
}

SHOWN void* realloc(void* memory, size_t size) { return reallocated(CALL_realloc, memory, size); }

/* glibc's calls realloc, which would count twice. */
SHOWN void* reallocarray(void* memory, size_t number, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(number, size, &bytes)) {
    errno = ENOMEM;
    return counted(CALL_reallocarray, 0, NULL);
  }
  return reallocated(CALL_reallocarray, memory, bytes);
}

SHOWN int posix_memalign(void** memory, size_t alignment, size_t size) {
  const int error = NEXT(posix_memalign)(memory, alignment, size);
  counted(CALL_posix_memalign, size, error == 0 ? *memory : NULL);
  return error;
}

SHOWN void* aligned_alloc(size_t alignment, size_t size) {
  return counted(CALL_aligned_alloc, size, NEXT(aligned_alloc)(alignment, size));
}

SHOWN void* memalign(size_t alignment, size_t size) {
  return counted(CALL_memalign, size, NEXT(memalign)(alignment, size));
}
