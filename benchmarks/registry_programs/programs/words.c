// Counts the distinct words of texts, a thread for each text, with a node of the table allocated for each word:
// words SCALE. Linked statically with musl, whose allocator has one lock for all threads.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 2, BUCKETS = 1 << 12, WORDS = 3000, ROUNDS = 700 };

struct word {
  struct word* next;
  uint64_t count;
  char text[];
};

static double scale = 1;

static void* count(void* given) {
  uint64_t random = (uintptr_t)given * 2654435761u + 1, distinct = 0;
  for (int round = 0; round < (int)(ROUNDS * scale); ++round) {
    struct word** table = calloc(BUCKETS, sizeof *table);
    if (table == NULL) abort();
    for (int at = 0; at < WORDS; ++at) {
      char text[24];
      random = random * 6364136223846793005u + 1442695040888963407u;
      const size_t length = 4 + (random >> 60);
      for (size_t i = 0; i < length; ++i) text[i] = (char)('a' + (random >> (i + 20)) % 26);
      text[length] = 0;
      uint64_t hash = 14695981039346656037u;
      for (size_t i = 0; i < length; ++i) hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
      struct word** place = &table[hash % BUCKETS];
      while (*place != NULL && strcmp((*place)->text, text) != 0) place = &(*place)->next;
      if (*place == NULL) {
        *place = malloc(sizeof **place + length + 1);
        if (*place == NULL) abort();
        (*place)->next = NULL, (*place)->count = 0;
        memcpy((*place)->text, text, length + 1);
        ++distinct;
      }
      ++(*place)->count;
    }
    for (int bucket = 0; bucket < BUCKETS; ++bucket)
      for (struct word *one = table[bucket], *next; one != NULL; one = next) next = one->next, free(one);
    free(table);
  }
  return (void*)(uintptr_t)distinct;
}

int main(int argc, char** argv) {
  if (argc > 1) scale = atof(argv[1]);
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; ++i)
    if (pthread_create(&threads[i], NULL, count, (void*)i) != 0) return 1;
  uint64_t distinct = 0;
  for (int i = 0; i < THREADS; ++i) {
    void* found;
    pthread_join(threads[i], &found);
    distinct += (uintptr_t)found;
  }
  printf("%llu\n", (unsigned long long)distinct);
  return 0;
}
