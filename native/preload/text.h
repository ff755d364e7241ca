/* Text that is put together without the C library: in a handler of a signal, or after a fork, it may not be called. */
#pragma once
#include <stdint.h>

/* Put a word, or a number, at a place in a text, and return the place after it. No byte 0 is put. */
static inline char* put(char* at, const char* word) {
  while (*word != '\0') *at++ = *word++;
  return at;
}

static inline char* put_number(char* at, uint64_t value) {
  char digits[20];
  int length = 0;
  do {
    digits[length++] = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (length > 0) *at++ = digits[--length];
  return at;
}

static inline char* put_figure(char* at, uint64_t value) { return put_number(put(at, " "), value); }
