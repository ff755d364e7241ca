/* Input, output and mappings: calls, bytes moved and nanoseconds inside, those of the clock (some 20) included. Calls
   that the C library makes itself do not come by here: fread counts, the read that fills its buffer does not. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "counts.h"

#undef fread_unlocked
#undef fwrite_unlocked

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

static uint64_t moved(ssize_t bytes) { return bytes > 0 ? (uint64_t)bytes : 0; }
static uint64_t items(size_t number, size_t size) { return (uint64_t)number * size; }

/* The number of a FILE; one that is in memory has none, which is no error of the program. */
static int number_of(FILE* file) {
  const int error = errno;
  const int number = file != NULL ? fileno(file) : -1;
  errno = error;
  return number;
}

/* X(result, function, counted as, parameters, arguments, bytes by `got`). What ends in _chk or _2 is what
   _FORTIFY_SOURCE makes of the calls; a 64 is another name of the same function on 64-bit systems. */
#define READS(X)                                                                                                       \
  X(ssize_t, read, read, (int file, void* to, size_t size), (file, to, size), moved(got))                              \
  X(ssize_t, __read_chk, read, (int file, void* to, size_t size, size_t room), (file, to, size, room), moved(got))     \
  X(ssize_t, pread, pread, (int file, void* to, size_t size, off_t at), (file, to, size, at), moved(got))              \
  X(ssize_t, pread64, pread, (int file, void* to, size_t size, off64_t at), (file, to, size, at), moved(got))          \
  X(ssize_t, __pread_chk, pread, (int file, void* to, size_t size, off_t at, size_t room), (file, to, size, at, room), \
    moved(got))                                                                                                        \
  X(ssize_t, __pread64_chk, pread, (int file, void* to, size_t size, off64_t at, size_t room),                         \
    (file, to, size, at, room), moved(got))                                                                            \
  X(ssize_t, readv, readv, (int file, const struct iovec* parts, int number), (file, parts, number), moved(got))
#define STREAM_READS(X)                                                                                          \
  X(size_t, fread, fread, (void* to, size_t size, size_t number, FILE* file), (to, size, number, file),          \
    items(got, size))                                                                                            \
  X(size_t, fread_unlocked, fread, (void* to, size_t size, size_t number, FILE* file), (to, size, number, file), \
    items(got, size))                                                                                            \
  X(size_t, __fread_chk, fread, (void* to, size_t room, size_t size, size_t number, FILE* file),                 \
    (to, room, size, number, file), items(got, size))                                                            \
  X(size_t, __fread_unlocked_chk, fread, (void* to, size_t room, size_t size, size_t number, FILE* file),        \
    (to, room, size, number, file), items(got, size))
#define WRITES(X)                                                                                                     \
  X(ssize_t, write, write, (int file, const void* from, size_t size), (file, from, size), moved(got))                 \
  X(ssize_t, pwrite, pwrite, (int file, const void* from, size_t size, off_t at), (file, from, size, at), moved(got)) \
  X(ssize_t, pwrite64, pwrite, (int file, const void* from, size_t size, off64_t at), (file, from, size, at),         \
    moved(got))                                                                                                       \
  X(ssize_t, writev, writev, (int file, const struct iovec* parts, int number), (file, parts, number), moved(got))    \
  X(size_t, fwrite, fwrite, (const void* from, size_t size, size_t number, FILE* file), (from, size, number, file),   \
    items(got, size))                                                                                                 \
  X(size_t, fwrite_unlocked, fwrite, (const void* from, size_t size, size_t number, FILE* file),                      \
    (from, size, number, file), items(got, size))
#define FILES(X)                                                                                    \
  X(off_t, lseek, lseek, (int file, off_t at, int whence), (file, at, whence), 0)                   \
  X(off64_t, lseek64, lseek, (int file, off64_t at, int whence), (file, at, whence), 0)             \
  X(int, __open_2, open, (const char* name, int flags), (name, flags), 0)                           \
  X(int, __open64_2, open, (const char* name, int flags), (name, flags), 0)                         \
  X(int, __openat_2, openat, (int folder, const char* name, int flags), (folder, name, flags), 0)   \
  X(int, __openat64_2, openat, (int folder, const char* name, int flags), (folder, name, flags), 0) \
  X(int, fsync, fsync, (int file), (file), 0)                                                       \
  X(int, fdatasync, fdatasync, (int file), (file), 0)                                               \
  X(int, munmap, munmap, (void* memory, size_t size), (memory, size), got == 0 ? size : 0)
#define CLOSES(X) X(int, close, close, (int file), (file), 0)
#define STREAM_OPENS(X)                                                         \
  X(FILE*, fopen, fopen, (const char* name, const char* mode), (name, mode), 0) \
  X(FILE*, fopen64, fopen, (const char* name, const char* mode), (name, mode), 0)
#define STREAM_CLOSES(X) X(int, fclose, fclose, (FILE * file), (file), 0)
/* Those of which not every call, or not every argument, is passed on as it is. */
#define OTHERS(X)                                                                               \
  X(int, open, open, (const char* name, int flags, ...), , )                                    \
  X(int, open64, open, (const char* name, int flags, ...), , )                                  \
  X(int, openat, openat, (int folder, const char* name, int flags, ...), , )                    \
  X(int, openat64, openat, (int folder, const char* name, int flags, ...), , )                  \
  X(void*, mmap, mmap, (void* at, size_t size, int use, int flags, int file, off_t offset), , ) \
  X(void*, mmap64, mmap, (void* at, size_t size, int use, int flags, int file, off64_t offset), , )

/* --- The next library's functions: found at the start, since dlsym may not be called in a handler of a signal or after
   a fork; before that, by those that want them. --- */

#define DECLARE_NEXT(result, name, as, parameters, arguments, bytes) static result(*_Atomic next_##name) parameters;
READS(DECLARE_NEXT)
STREAM_READS(DECLARE_NEXT)
WRITES(DECLARE_NEXT)
FILES(DECLARE_NEXT)
CLOSES(DECLARE_NEXT)
STREAM_OPENS(DECLARE_NEXT)
STREAM_CLOSES(DECLARE_NEXT)
OTHERS(DECLARE_NEXT)

__attribute__((constructor)) static void find_functions(void) {
  const int error = errno;
#define FIND(result, name, as, parameters, arguments, bytes) \
  atomic_store_explicit(&next_##name, (result(*) parameters)dlsym(RTLD_NEXT, #name), memory_order_relaxed);
  READS(FIND)
  STREAM_READS(FIND)
  WRITES(FIND)
  FILES(FIND)
  CLOSES(FIND)
  STREAM_OPENS(FIND)
  STREAM_CLOSES(FIND)
  OTHERS(FIND)
  errno = error;
}

#define LOADED(name) atomic_load_explicit(&next_##name, memory_order_relaxed)
#define NEXT(name) (LOADED(name) != NULL ? LOADED(name) : (find_functions(), LOADED(name)))

/* --- What the program calls. --- */

/* `before` and `after` the call, what is noted of the file. */
#define COUNTED_WITH(before, after, result, name, as, parameters, arguments, bytes) \
  SHOWN result name parameters {                                                    \
    const __typeof__(LOADED(name)) next = NEXT(name);                               \
    before;                                                                         \
    const uint64_t since_ns = now_ns();                                             \
    result got = next arguments;                                                    \
    count(CALL_##as, bytes, now_ns() - since_ns);                                   \
    after;                                                                          \
    return got;                                                                     \
  }
#define COUNTED(...) COUNTED_WITH(, , __VA_ARGS__)
#define COUNTED_READ(...) COUNTED_WITH(, note_read(file, moved(got)), __VA_ARGS__)
#define COUNTED_CLOSE(...) COUNTED_WITH(note_closing(file), , __VA_ARGS__)
/* The streams of libstdc++ open and close a FILE, and read by its number. */
#define COUNTED_STREAM_OPEN(...) COUNTED_WITH(, note_opened(number_of(got)), __VA_ARGS__)
#define COUNTED_STREAM_CLOSE(...) COUNTED_WITH(note_closing(number_of(file)), , __VA_ARGS__)
READS(COUNTED_READ)
STREAM_READS(COUNTED)
WRITES(COUNTED)
FILES(COUNTED)
CLOSES(COUNTED_CLOSE)
STREAM_OPENS(COUNTED_STREAM_OPEN)
STREAM_CLOSES(COUNTED_STREAM_CLOSE)

static int has_mode(int flags) { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

#define OPEN(name, as, parameters, arguments)         \
  SHOWN int name parameters {                         \
    mode_t mode = 0;                                  \
    if (has_mode(flags)) {                            \
      va_list rest;                                   \
      va_start(rest, flags);                          \
      mode = va_arg(rest, mode_t);                    \
      va_end(rest);                                   \
    }                                                 \
    const __typeof__(LOADED(name)) next = NEXT(name); \
    const uint64_t since_ns = now_ns();               \
    const int got = next arguments;                   \
    count(CALL_##as, 0, now_ns() - since_ns);         \
    note_opened(got);                                 \
    return got;                                       \
  }
OPEN(open, open, (const char* path, int flags, ...), (path, flags, mode))
OPEN(open64, open, (const char* path, int flags, ...), (path, flags, mode))
OPEN(openat, openat, (int folder, const char* path, int flags, ...), (folder, path, flags, mode))
OPEN(openat64, openat, (int folder, const char* path, int flags, ...), (folder, path, flags, mode))

#define MAP(name, offset_type)                                                                \
  SHOWN void* name(void* at, size_t size, int use, int flags, int file, offset_type offset) { \
    const __typeof__(LOADED(name)) next = NEXT(name);                                         \
    if ((flags & MAP_ANONYMOUS) == 0) return next(at, size, use, flags, file, offset);        \
    const uint64_t since_ns = now_ns();                                                       \
    void* const got = next(at, size, use, flags, file, offset);                               \
    count(CALL_mmap, got != MAP_FAILED ? size : 0, now_ns() - since_ns);                      \
    return got;                                                                               \
  }
MAP(mmap, off_t)
MAP(mmap64, off64_t)
