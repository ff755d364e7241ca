/* Parallel regions of which it is known how many there are, one function for each kind. Prints results that depend on
   every thread's work; test_openmp_regions.py says what must be seen. */
#define _GNU_SOURCE
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OWN __attribute__((noinline)) static

OWN void plain(long* sum) {
  for (int times = 0; times < 10; ++times) {
#pragma omp parallel num_threads(3)
    {
#pragma omp atomic
      *sum += omp_get_thread_num() + 1;
    }
  }
}

OWN void static_loop(long* sum) {
  long got = 0;
#pragma omp parallel for schedule(static) num_threads(2) reduction(+ : got)
  for (int i = 0; i < 100; ++i) got += i;
  *sum += got;
}

OWN void dynamic_loop(long* sum) {
  long got = 0;
#pragma omp parallel for schedule(dynamic, 7) num_threads(2) reduction(+ : got)
  for (int i = 0; i < 100; ++i) got += i;
  *sum += got;
}

OWN void guided_loop(long* sum) {
  long got = 0;
#pragma omp parallel for schedule(guided) num_threads(2) reduction(+ : got)
  for (unsigned long long i = 0; i < 100; ++i) got += (long)i;
  *sum += got;
}

OWN void runtime_loop(long* sum) {
  long got = 0;
#pragma omp parallel for schedule(runtime) num_threads(2) reduction(+ : got)
  for (int i = 0; i < 100; ++i) got += i;
  *sum += got;
}

/* A loop that is in no region by its text, and in one as it is called. */
__attribute__((noinline)) void orphan(long* values) {
#pragma omp for schedule(dynamic)
  for (int i = 0; i < 100; ++i) values[i] += i;
}

OWN void orphaned(long* sum) {
  long values[100] = {0};
#pragma omp parallel num_threads(2)
  {
    orphan(values);
    orphan(values);
  }
  for (int i = 0; i < 100; ++i) *sum += values[i];
}

OWN void nested(long* sum) {
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
      *sum += 1;
    }
#pragma omp atomic
    *sum += 10;
  }
}

OWN void alone(long* sum, int wanted) {
#pragma omp parallel if (wanted)
  *sum += omp_get_num_threads();
#pragma omp parallel num_threads(1)
  *sum += omp_get_num_threads();
}

OWN void sections(long* sum) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
#pragma omp atomic
      *sum += 1;
    }
#pragma omp section
    {
#pragma omp atomic
      *sum += 2;
    }
  }
}

OWN void tasks(long* sum) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < 20; ++i) {
#pragma omp task
      {
#pragma omp atomic
        *sum += 1;
      }
    }
#pragma omp taskwait
#pragma omp taskloop grainsize(5)
    for (int i = 0; i < 100; ++i) {
#pragma omp atomic
      *sum += i;
    }
  }
}

OWN void reductions(long* sum) {
  long got = 0;
#pragma omp parallel num_threads(2) reduction(task, + : got)
  {
#pragma omp task in_reduction(+ : got)
    got += 5;
    got += 1;
  }
  *sum += got;
}

OWN void exclusive(long* sum) {
  omp_lock_t lock;
  long first = 0, second = 0, third = 0;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    for (int i = 0; i < 5; ++i) {
#pragma omp critical
      first += 1;
#pragma omp barrier
#pragma omp critical(named)
      second += 1;
      omp_set_lock(&lock);
      third += 1;
      omp_unset_lock(&lock);
    }
  }
  omp_destroy_lock(&lock);
  *sum += first + second + third;
}

OWN void many(long* sum) {
#pragma omp parallel num_threads(150)
  {
#pragma omp atomic
    *sum += omp_get_thread_num();
  }
}

static void sleep_ms(long ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

/* The first thread is in its body for 200 ms at least, and so is the second one, at a barrier for most of it. */
OWN void skew(long* sum) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) sleep_ms(200);
#pragma omp atomic
    *sum += 1;
#pragma omp barrier
  }
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) sleep_ms(100);
  }
}

OWN void counted(long* sum) {
#pragma omp parallel num_threads(1)
  *sum += 1;
}

/* The child of a process counts its own; one that is born in a region has not met it. */
static int forks(long* sum) {
  counted(sum);
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    counted(sum);
    counted(sum);
    exit(0);
  }
  waitpid(child, &status, 0);
#pragma omp parallel num_threads(1)
  {
    child = fork();
    if (child == 0) _exit(0);
    waitpid(child, &status, 0);
  }
  return status;
}

int main(int argc, char** argv) {
  long sum = 0;
  const char* what = argc > 1 ? argv[1] : "";
  omp_set_dynamic(0);
  if (strcmp(what, "kinds") == 0) {
    plain(&sum);
    static_loop(&sum);
    dynamic_loop(&sum);
    guided_loop(&sum);
    runtime_loop(&sum);
    orphaned(&sum);
    nested(&sum);
    alone(&sum, argc > 9);
    sections(&sum);
    tasks(&sum);
    reductions(&sum);
    exclusive(&sum);
  } else if (strcmp(what, "many") == 0) {
    many(&sum);
  } else if (strcmp(what, "skew") == 0) {
    skew(&sum);
  } else if (strcmp(what, "forks") == 0) {
    if (forks(&sum) != 0) return 1;
  } else if (strcmp(what, "exec") == 0) {
    counted(&sum);
    execl(argv[0], argv[0], "many", (char*)NULL);
  } else if (strcmp(what, "exit-inside") == 0) {
    counted(&sum);
#pragma omp parallel num_threads(2)
    {
#pragma omp master
      exit(3);
    }
  } else if (strcmp(what, "crash") == 0) {
    counted(&sum);
    raise(SIGKILL);
  } else {
    return 2;
  }
  printf("%ld\n", sum);
  return 0;
}
