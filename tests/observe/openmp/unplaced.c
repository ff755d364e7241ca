/* While the library finds out where one region is, which may take as long as the loader likes, another thread meets a
   region, and a child is born that meets the first one, too. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define OWN __attribute__((noinline)) static

static sem_t asked, answered;
static atomic_flag once = ATOMIC_FLAG_INIT;
static atomic_long sum;

OWN void first(void) {
#pragma omp parallel num_threads(1)
  ++sum;
}

OWN void second(void) {
#pragma omp parallel num_threads(1)
  sum += 2;
}

/* The library's call of it comes here. */
__attribute__((visibility("default"))) int dladdr1(const void* address, Dl_info* info, void** extra, int flags) {
  int (*const next)(const void*, Dl_info*, void**, int) =
      (int (*)(const void*, Dl_info*, void**, int))dlsym(RTLD_NEXT, "dladdr1");
  if (!atomic_flag_test_and_set(&once)) {
    sem_post(&asked);
    sem_wait(&answered);
  }
  return next(address, info, extra, flags);
}

static void* meanwhile(void* nothing) {
  sem_wait(&asked);
  second();
  const pid_t child = fork();
  if (child == 0) {
    first();
    exit(0);
  }
  waitpid(child, NULL, 0);
  sem_post(&answered);
  return nothing;
}

int main(void) {
  pthread_t other;
  if (sem_init(&asked, 0, 0) != 0 || sem_init(&answered, 0, 0) != 0 ||
      pthread_create(&other, NULL, meanwhile, NULL) != 0)
    return 1;
  first();
  pthread_join(other, NULL);
  return sum == 3 ? 0 : 2;
}
