/* Does COUNT dependent additions and multiplications, and prints what they give. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, x = 88172645463325252UL;
  for (unsigned long i = 0; i < count; ++i) x = x * 6364136223846793005UL + 1442695040888963407UL;
  printf("%lu\n", x);
  return 0;
}
