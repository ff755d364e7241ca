/* Keeps the tallies of all threads, and writes them. The file has, for each rank, lines of words with spaces between:

     RANK TOTAL IN_MPI CALLS               nanoseconds between MPI_Init and MPI_Finalize, and those of them that the
   thread that initialised MPI spent inside; calls of all threads call RANK NAME CALLS NS BYTES         of the thread
   that initialised MPI: calls of that name, their nanoseconds, and the bytes that they gave to MPI to be sent threads
   RANK THREADS                  how many other threads called MPI, if any did; one that ended may be counted together
   with one that began later others RANK NAME CALLS NS BYTES       as "call", of those threads together to RANK PEER
   MESSAGES BYTES           what was sent from point to point, by the receiver's rank in MPI_COMM_WORLD */
#define _GNU_SOURCE
#include "tally.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

int counting, by_counter, world_rank, world_ranks = 1;
OF_THREAD int depth;
OF_THREAD struct tally* own_tally;

#define NAMED(name, ...) "MPI_" #name,
static const char* const names[CALLS] = {MPI_CALLS(NAMED) MPI_FREES(NAMED)};

static long long begun_ns, begun_ticks;
static double ns_per_tick;
static struct tally first; /* of the thread that initialised MPI */
static struct tally *others, *unused;
static int threads; /* other than the first */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void thread_ended(void* tally) {
  struct tally* released = tally;
  own_tally = NULL;
  pthread_mutex_lock(&mutex);
  released->next_free = unused;
  unused = released;
  pthread_mutex_unlock(&mutex);
}

static void make_key(void) { pthread_key_create(&key, thread_ended); }

struct tally* adopt(void) {
  pthread_once(&once, make_key);
  pthread_mutex_lock(&mutex);
  struct tally* tally = unused;
  if (tally != NULL) {
    unused = tally->next_free;
  } else if ((tally = calloc(1, sizeof *tally)) != NULL) {
    tally->next = others;
    others = tally;
    ++threads;
  }
  pthread_mutex_unlock(&mutex);
  if (tally != NULL) pthread_setspecific(key, tally);
  return own_tally = tally;
}

void begin(void) {
  by_counter = counter_is_good();
  PMPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
  own_tally = &first;
  counting = 1;
  begun_ns = now_ns();
  begun_ticks = now_ticks();
}

static long long ns_of(long long ticks) { return (long long)((double)ticks * ns_per_tick); }

/* Add up the calls of a name of all threads but the first. */
static struct figures of_others(int call) {
  struct figures sum = {0, 0, 0};
  for (const struct tally* one = others; one != NULL; one = one->next) {
    sum.calls += one->of[call].calls;
    sum.ticks += one->of[call].ticks;
    sum.bytes += one->of[call].bytes;
  }
  return sum;
}

static void write_calls(FILE* file, const char* word, const struct figures* of) {
  for (int call = 0; call < CALLS; ++call) {
    if (of[call].calls == 0) continue;
    fprintf(file, "%s %d %s %lld %lld %lld\n", word, world_rank, names[call], of[call].calls, ns_of(of[call].ticks),
            of[call].bytes);
  }
}

static void write_peer(FILE* file, int peer) {
  struct traffic sum = {0, 0};
  for (const struct tally* one = &first; one != NULL; one = one == &first ? others : one->next) {
    if (one->to == NULL) continue;
    sum.messages += one->to[peer].messages;
    sum.bytes += one->to[peer].bytes;
  }
  if (sum.messages != 0) fprintf(file, "to %d %d %lld %lld\n", world_rank, peer, sum.messages, sum.bytes);
}

static void write_own(FILE* file, long long whole_ns) {
  struct figures of[CALLS];
  long long inside_ns = 0, calls = 0;
  for (int call = 0; call < CALLS; ++call) {
    of[call] = of_others(call);
    inside_ns += ns_of(first.of[call].ticks);
    calls += first.of[call].calls + of[call].calls;
  }
  fprintf(file, "%d %lld %lld %lld\n", world_rank, whole_ns, inside_ns, calls);
  write_calls(file, "call", first.of);
  if (threads != 0) fprintf(file, "threads %d %d\n", world_rank, threads);
  write_calls(file, "others", of);
  for (int peer = 0; peer < world_ranks; ++peer) write_peer(file, peer);
}

/* Write the texts of all ranks in their order. One at a time is sent to the first, which need not have room for all. */
static void collect(const char* path, const char* text, int length) {
  MPI_Comm apart; /* not a duplicate, which would call the program's functions that copy attributes */
  if (PMPI_Comm_split(MPI_COMM_WORLD, 0, world_rank, &apart) != MPI_SUCCESS) return;
  if (world_rank != 0) {
    PMPI_Send(&length, 1, MPI_INT, 0, 0, apart);
    PMPI_Send(text, length, MPI_CHAR, 0, 0, apart);
  } else {
    FILE* file = fopen(path, "w");
    if (file != NULL) fwrite(text, 1, (size_t)length, file);
    for (int rank = 1; rank < world_ranks; ++rank) {
      PMPI_Recv(&length, 1, MPI_INT, rank, 0, apart, MPI_STATUS_IGNORE);
      char* received = malloc((size_t)length + 1);
      if (received == NULL) abort();
      PMPI_Recv(received, length, MPI_CHAR, rank, 0, apart, MPI_STATUS_IGNORE);
      if (file != NULL) fwrite(received, 1, (size_t)length, file);
      free(received);
    }
    if (file != NULL) fclose(file);
  }
  PMPI_Comm_free(&apart);
}

void end(void) {
  const char* path = getenv("ROOFTOP_MPI_TIMES");
  if (!counting || path == NULL) return;
  const long long whole_ticks = now_ticks() - begun_ticks, whole_ns = now_ns() - begun_ns;
  ns_per_tick = whole_ticks > 0 ? (double)whole_ns / (double)whole_ticks : 0;
  counting = 0;
  char* text = NULL;
  size_t length = 0;
  FILE* file = open_memstream(&text, &length);
  if (file != NULL) {
    pthread_mutex_lock(&mutex);
    write_own(file, whole_ns);
    pthread_mutex_unlock(&mutex);
    fclose(file);
  }
  collect(path, text, (int)length);
  free(text);
}
