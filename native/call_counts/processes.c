/* When counts are written, and where: at the end of a process and before another program replaces it, as
   PROGRAM_PID.txt in the folder that ROOFTOP_CALL_COUNTS names. A child of fork starts from zero; one of vfork, which
   still has its parent's memory, writes nothing. Only system calls are used: this runs in handlers of signals and after
   fork in programs with threads. A process that a signal ends writes nothing, and neither does one that leaves by a
   system call of its own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "counts.h"

enum { FOLDER_BYTES = 3072, PROGRAM_BYTES = 64, NAME_BYTES = FOLDER_BYTES + PROGRAM_BYTES + 64, MOST_FILES = 1000 };

static char beginning[FOLDER_BYTES + PROGRAM_BYTES]; /* FOLDER/PROGRAM_ */
static pid_t owner;
static _Atomic int written; /* or being written */
static char text[TEXT_BYTES];

/* A program that is replaced by itself needs another name, and so does a process whose number was used before. */
static int open_new(char name[NAME_BYTES]) {
  for (uint64_t number = 1; number < MOST_FILES; ++number) {
    char* at = put_number(put(name, beginning), (uint64_t)owner);
    if (number > 1) at = put_number(put(at, "-"), number);
    *put(at, ".txt") = '\0';
    const int file = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

/* Returns whether it was this process's turn to write. `name`: that of the file, empty if none could be written. */
static int write_counts(char name[NAME_BYTES]) {
  if (beginning[0] == '\0' || getpid() != owner || atomic_exchange(&written, 1) != 0) return 0;
  const int error = errno;
  note_end();
  const size_t length = told_counts(text);
  struct rlimit largest;
  int done = 0;
  /* A file beyond the limit would end the program by a signal. */
  if (getrlimit(RLIMIT_FSIZE, &largest) == 0 && largest.rlim_cur >= length) {
    const int file = open_new(name);
    if (file >= 0) {
      done = syscall(SYS_write, file, text, length) == (long)length;
      syscall(SYS_close, file);
      if (!done) syscall(SYS_unlinkat, AT_FDCWD, name, 0);
    }
  }
  if (!done) name[0] = '\0';
  errno = error;
  return 1;
}

/* --- The next library's functions: found at the start, since dlsym may not be called after a fork. --- */

#define REPLACING(X)                                                                                              \
  X(int, execve, (const char* path, char* const words[], char* const environment[]), (path, words, environment))  \
  X(int, execv, (const char* path, char* const words[]), (path, words))                                           \
  X(int, execvp, (const char* file, char* const words[]), (file, words))                                          \
  X(int, execvpe, (const char* file, char* const words[], char* const environment[]), (file, words, environment)) \
  X(int, fexecve, (int file, char* const words[], char* const environment[]), (file, words, environment))         \
  X(int, execveat, (int at, const char* path, char* const words[], char* const environment[], int flags),         \
    (at, path, words, environment, flags))
#define LEAVING(X)                       \
  X(void, _exit, (int status), (status)) \
  X(void, _Exit, (int status), (status))

#define DECLARE_NEXT(result, name, parameters, arguments) static result(*_Atomic next_##name) parameters;
REPLACING(DECLARE_NEXT)
LEAVING(DECLARE_NEXT)

static void find_functions(void) {
#define FIND(result, name, parameters, arguments) \
  atomic_store_explicit(&next_##name, (result(*) parameters)dlsym(RTLD_NEXT, #name), memory_order_relaxed);
  REPLACING(FIND)
  LEAVING(FIND)
}
#define LOADED(name) atomic_load_explicit(&next_##name, memory_order_relaxed)
#define NEXT(name) (LOADED(name) != NULL ? LOADED(name) : (find_functions(), LOADED(name)))

/* --- When counts are written. --- */

static void write_at_end(void) {
  char name[NAME_BYTES];
  write_counts(name);
}

static void write_at_exit(int status, void* nothing) {
  (void)status;
  (void)nothing;
  write_at_end();
}

static void begin_child(void) {
  owner = getpid();
  atomic_store(&written, 0);
  forget_counts();
  forget_reads();
}

/* The library that is loaded after all others ends before them. What is registered by on_exit, before the program's own
   end is, comes after them all. */
__attribute__((constructor)) static void begin(void) {
  const int error = errno;
  const char* folder = getenv("ROOFTOP_CALL_COUNTS");
  if (folder != NULL && folder[0] != '\0' && strlen(folder) < FOLDER_BYTES && on_exit(write_at_exit, NULL) == 0 &&
      at_quick_exit(write_at_end) == 0 && pthread_atfork(NULL, NULL, begin_child) == 0) {
    owner = getpid();
    char* at = put(put(beginning, folder), "/");
    const char* from = program_invocation_short_name;
    for (int length = 0; length < PROGRAM_BYTES - 2 && *from != '\0'; ++length, ++from) {
      const char is = *from;
      const int plain = (is >= 'a' && is <= 'z') || (is >= 'A' && is <= 'Z') || (is >= '0' && is <= '9');
      *at++ = (char)(plain || strchr("_.+-", is) != NULL ? is : '-');
    }
    put(at, "_");
  }
  find_functions();
  errno = error;
}

/* --- What the program calls. The file of a program that could not be replaced is taken back: its counts go on. --- */

static void take_back(const char name[NAME_BYTES]) {
  const int error = errno;
  if (name[0] != '\0') syscall(SYS_unlinkat, AT_FDCWD, name, 0);
  atomic_store(&written, 0);
  errno = error;
}

#define REPLACE(result, name, parameters, arguments) \
  SHOWN result name parameters {                     \
    char file_name[NAME_BYTES];                      \
    const int wrote = write_counts(file_name);       \
    const result got = NEXT(name) arguments;         \
    if (wrote) take_back(file_name);                 \
    return got;                                      \
  }
REPLACING(REPLACE)

/* Makes a call whose arguments are a list an array's. `last`: what follows the NULL that ends the list. */
#define REPLACE_BY_LIST(name, called, last, ...)                                          \
  SHOWN int name(const char* path, const char* first, ...) {                              \
    va_list rest;                                                                         \
    size_t length = 1;                                                                    \
    va_start(rest, first);                                                                \
    for (const char* one = first; one != NULL; ++length) one = va_arg(rest, const char*); \
    va_end(rest);                                                                         \
    char* words[length];                                                                  \
    va_start(rest, first);                                                                \
    words[0] = (char*)first;                                                              \
    for (size_t at = 1; at < length; ++at) words[at] = va_arg(rest, char*);               \
    last;                                                                                 \
    va_end(rest);                                                                         \
    return called(path, __VA_ARGS__);                                                     \
  }
REPLACE_BY_LIST(execl, execv, , words)
REPLACE_BY_LIST(execlp, execvp, , words)
REPLACE_BY_LIST(execle, execve, char* const* environment = va_arg(rest, char* const*), words, environment)

#define LEAVE(result, name, parameters, arguments) \
  SHOWN result name parameters {                   \
    write_at_end();                                \
    NEXT(name) arguments;                          \
    for (;;) syscall(SYS_exit_group, status);      \
  }
LEAVING(LEAVE)
