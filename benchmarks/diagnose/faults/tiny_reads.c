/* Fault: tiny reads. A file is read 16 bytes a call of read(), without a buffer. Cured: 1 MiB a call.
 * Usage: tiny_reads [SCALE] [cured] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RECORD = 16, PIECE = 1 << 20, PASSES = 2 };

int main(int argc, char** argv) {
  const double scale = argc > 1 ? atof(argv[1]) : 1.0;
  const size_t piece = argc > 2 && strcmp(argv[2], "cured") == 0 ? PIECE : RECORD;
  const long records = (long)(1.4e6 * scale) + 1;
  FILE* file = tmpfile();
  char* buffer = malloc(PIECE);
  if (file == NULL || buffer == NULL) return 1;
  for (uint64_t i = 0; i < (uint64_t)records; ++i) {
    const uint64_t record[RECORD / sizeof(uint64_t)] = {i, i * 6364136223846793005u};
    if (fwrite(record, RECORD, 1, file) != 1) return 1;
  }
  if (fflush(file) != 0) return 1;
  uint64_t sum = 0;
  for (int pass = 0; pass < PASSES; ++pass) {
    if (lseek(fileno(file), 0, SEEK_SET) != 0) return 1;
    for (ssize_t got = 0; (got = read(fileno(file), buffer, piece)) > 0;) {
      for (ssize_t at = 0; at < got; at += RECORD) {
        uint64_t record[RECORD / sizeof(uint64_t)];
        memcpy(record, buffer + at, RECORD);
        sum = sum * 31 + (record[0] ^ record[1]);
      }
    }
  }
  printf("checksum %llu\n", (unsigned long long)sum);
  free(buffer);
  fclose(file);
  return 0;
}
