/* Makes calls whose number is known, and prints `NAME CALLS BYTES` of each: `calls WHAT [ARGUMENT]…`. Allocations that
   are to be told from the C library's own have sizes of their own. Printing is not counted: it does not come by write.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define NEED(condition)                                                  \
  do {                                                                   \
    if (!(condition)) {                                                  \
      fprintf(stderr, "line %d: %s: %d\n", __LINE__, #condition, errno); \
      exit(3);                                                           \
    }                                                                    \
  } while (0)

static void allocate(long number, size_t size) {
  for (long i = 0; i < number; ++i) {
    void* volatile memory = malloc(size);
    NEED(memory != NULL);
    free(memory);
  }
}

/* One call of each allocating function, of more than a mebibyte; a call that cannot succeed. */
static void allocate_each(void) {
  const size_t mebibyte = 1 << 20;
  void* volatile a = malloc(mebibyte);
  void* volatile b = calloc(2, mebibyte);
  void* volatile c = realloc(a, 4 * mebibyte);
  void* volatile d = reallocarray(b, 8, mebibyte);
  void* e = NULL;
  NEED(posix_memalign(&e, 4096, 16 * mebibyte) == 0);
  void* volatile f = aligned_alloc(4096, 32 * mebibyte);
  NEED(c != NULL && d != NULL && f != NULL);
  volatile size_t most = SIZE_MAX / 2;
  errno = 0;
  void* volatile g = malloc(most);
  NEED(g == NULL && errno == ENOMEM);
  errno = 0;
  g = reallocarray(NULL, most, 8);
  NEED(g == NULL && errno == ENOMEM);
  errno = EDOM;
  free(c);
  free(d);
  free(e);
  free(f);
  free(NULL);
  NEED(errno == EDOM);
  printf("sizes 20 1\nsizes 21 1\nsizes 22 1\nsizes 23 1\nsizes 24 1\nsizes 25 1\n");
  printf("reallocarray 2 %zu\naligned_alloc 1 %zu\nposix_memalign 1 %zu\n", 8 * mebibyte, 32 * mebibyte, 16 * mebibyte);
}

static char room[1 << 16];

/* `number` calls of each kind on a file, of `size` bytes. */
static void transfer(const char* name, long number, volatile size_t size) {
  struct iovec two[2] = {{room, size}, {room + size, size}};
  int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  NEED(file >= 0);
  for (long i = 0; i < number; ++i) {
    NEED(write(file, room, size) == (ssize_t)size);
    NEED(pwrite(file, room, size, 0) == (ssize_t)size);
    NEED(writev(file, two, 2) == (ssize_t)(2 * size));
  }
  NEED(lseek(file, 0, SEEK_SET) == 0 && fsync(file) == 0 && fdatasync(file) == 0);
  for (long i = 0; i < number; ++i) {
    NEED(read(file, room, size) == (ssize_t)size);
    NEED(pread(file, room, size, 0) == (ssize_t)size);
    NEED(readv(file, two, 2) == (ssize_t)(2 * size));
  }
  errno = 0;
  NEED(read(file, room, size) == 0 && errno == 0);
  NEED(close(file) == 0);
  NEED(read(file, room, size) == -1 && errno == EBADF);
  FILE* stream = fopen(name, "r+");
  NEED(stream != NULL);
  for (long i = 0; i < number; ++i) NEED(fwrite(room, 4, size / 4, stream) == size / 4);
  rewind(stream);
  for (long i = 0; i < number; ++i) NEED(fread(room, 4, size / 4, stream) == size / 4);
  NEED(fclose(stream) == 0);
  file = openat(AT_FDCWD, name, O_RDONLY);
  char* anonymous = mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char* mapped = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
  NEED(anonymous != MAP_FAILED && mapped != MAP_FAILED);
  NEED(munmap(anonymous, 1 << 20) == 0 && munmap(mapped, 4096) == 0 && close(file) == 0);
  const long bytes = number * (long)size;
  printf("read %ld %ld\npread %ld %ld\nreadv %ld %ld\n", number + 2, bytes, number, bytes, number, 2 * bytes);
  printf("write %ld %ld\npwrite %ld %ld\nwritev %ld %ld\n", number, bytes, number, bytes, number, 2 * bytes);
  printf("fread %ld %ld\nfwrite %ld %ld\n", number, bytes, number, bytes);
  printf("open 1 0\nopenat 1 0\nfopen 1 0\nclose 2 0\nfclose 1 0\nlseek 1 0\nfsync 1 0\nfdatasync 1 0\n");
  printf("mmap 1 1048576\nmunmap 2 1052672\n");
}

static long each;
static pthread_key_t last_words;
static pthread_barrier_t all_are_here;

/* Runs after the library's own, which was registered before, and registers itself once more. */
static void allocate_at_end(void* turn) {
  allocate(each, 1 << 17);
  if ((intptr_t)turn > 1) pthread_setspecific(last_words, (void*)((intptr_t)turn - 1));
}

static void* work(void* nothing) {
  pthread_setspecific(last_words, (void*)2);
  pthread_barrier_wait(&all_are_here);
  allocate(each, 1 << 16);
  return nothing;
}

/* Threads that all live at once, twice. */
static void in_threads(int threads, long number) {
  each = number;
  pthread_attr_t small;
  pthread_t* started = calloc((size_t)threads, sizeof *started);
  NEED(pthread_key_create(&last_words, allocate_at_end) == 0 && pthread_attr_init(&small) == 0);
  NEED(pthread_attr_setstacksize(&small, 1 << 16) == 0);
  for (int round = 0; round < 2; ++round) {
    NEED(pthread_barrier_init(&all_are_here, NULL, (unsigned)threads) == 0);
    for (int i = 0; i < threads; ++i) {
      if (pthread_create(&started[i], &small, work, NULL) != 0) _exit(77);
    }
    for (int i = 0; i < threads; ++i) NEED(pthread_join(started[i], NULL) == 0);
  }
  free(started);
  printf("sizes 16 %ld\nsizes 17 %ld\n", 2 * threads * number, 4 * threads * number);
}

static int is_late;

static void allocate_at_exit(void) { allocate(3, 1 << 16); }

/* After the library that counts has ended. */
__attribute__((destructor)) static void allocate_when_unloaded(void) {
  if (is_late) allocate(4, 1 << 17);
}

static void* for_ever(void* ready) {
  allocate(100, 1 << 16);
  pthread_barrier_wait(ready);
  while (ready != NULL) pause();
  return NULL;
}

static void wait_for(pid_t child) {
  int status = 0;
  NEED(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(int count, char** words) {
  const char* what = count > 1 ? words[1] : "";
  if (strcmp(what, "allocate") == 0) allocate(atol(words[2]), (size_t)atol(words[3]));
  if (strcmp(what, "allocate-each") == 0) allocate_each();
  if (strcmp(what, "transfer") == 0) transfer(words[2], atol(words[3]), (size_t)atol(words[4]));
  if (strcmp(what, "threads") == 0) in_threads(atoi(words[2]), atol(words[3]));
  if (strcmp(what, "fork") ==
      0) { /* a child that leaves by _exit, one that is replaced, and the parent, replaced too */
    allocate(10, 1 << 16);
    pid_t child = fork();
    if (child == 0) {
      allocate(20, 1 << 17);
      _exit(0);
    }
    wait_for(child);
    child = fork();
    if (child == 0) {
      allocate(30, 1 << 18);
      execl(words[0], words[0], "allocate", "40", "524288", NULL);
      _exit(3);
    }
    wait_for(child);
    char* const next[] = {words[0], "allocate", "50", "1048576", NULL};
    execv(words[0], next);
    return 3;
  }
  if (strcmp(what, "vfork") == 0) { /* a child with its parent's memory, which fails once to become another program */
    allocate(10, 1 << 16);
    const pid_t child = vfork();
    if (child == 0) {
      execl("/nowhere/at-all", "at-all", NULL);
      execl(words[0], words[0], "allocate", "40", "524288", NULL);
      _exit(3);
    }
    wait_for(child);
  }
  if (strcmp(what, "not-replaced") == 0) {
    allocate(10, 1 << 16);
    char* const environment[] = {"A=1", NULL};
    errno = 0;
    NEED(execle("/nowhere/at-all", "at-all", "with", "words", NULL, environment) == -1 && errno == ENOENT);
    allocate(10, 1 << 16);
  }
  if (strcmp(what, "list") == 0) { /* execle: words and environment arrive */
    char* const environment[] = {"A=one", "B=two", NULL};
    execle("/bin/sh", "sh", "-c", "echo \"$0 $1 $A $B\"", "zero", "first", NULL, environment);
  }
  if (strcmp(what, "closed") == 0) {
    allocate(10, 1 << 16);
    for (int file = 0; file < 256; ++file) close(file);
    unsetenv("ROOFTOP_CALL_COUNTS");
    NEED(chdir("/") == 0);
    return 5;
  }
  if (strcmp(what, "late") == 0) {
    is_late = 1;
    NEED(atexit(allocate_at_exit) == 0);
  }
  if (strcmp(what, "crash") == 0) {
    allocate(10, 1 << 16);
    raise(SIGSEGV);
  }
  if (strcmp(what, "limited") == 0) {
    fflush(stdout);
    NEED(setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0}) == 0);
  }
  if (strcmp(what, "quick") == 0) {
    allocate(10, 1 << 16);
    quick_exit(0);
  }
  if (strcmp(what, "left-alone") == 0) { /* a thread that never ends, the first one that does */
    pthread_t other;
    pthread_barrier_t ready;
    NEED(pthread_barrier_init(&ready, NULL, 2) == 0 && pthread_create(&other, NULL, for_ever, &ready) == 0);
    pthread_barrier_wait(&ready);
    allocate(11, 1 << 17);
  }
  return 0;
}
