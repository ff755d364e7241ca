/* Three loops, and what is in a compiler's way: nothing; the order of additions; a call, and a division behind it. */
__attribute__((visibility("hidden"))) unsigned mix(unsigned key);
unsigned bits(const unsigned* keys, int length, unsigned total) {
  for (int i = 0; i < length; ++i) total += keys[i] ^ (keys[i] >> 3);
  return total;
}
float sum(const float* values, int length, float total) {
  for (int i = 0; i < length; ++i) total += values[i];
  return total;
}
unsigned fold(const unsigned* keys, int length, unsigned buckets) {
  unsigned total = 0;
  for (int i = 0; i < length; ++i) total += mix(keys[i]) % buckets;
  return total;
}
int main(void) { /* of the run that gives the profile; volatile: its loop is none of the three */
  static unsigned keys[999];
  static float values[999];
  for (volatile int i = 0; i < 999; ++i) keys[i] = 7919U * i;
  return (fold(keys, 999, 1000) + bits(keys, 999, 0) + (unsigned)sum(values, 999, 0)) & 0U;
}
