/* What packages/wheel compiles everything with: functions in their older versions where the newest are all that asks
   for a system newer than glibc 2.34 and GCC 11's C++ library, which RHEL 9 and its likes have. The new hypot reports
   errors otherwise, wait is noexcept. */
#if defined(__x86_64__)
__asm__(".symver hypot, hypot@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver hypot, hypot@GLIBC_2.17");
#endif
__asm__(
    ".symver _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE, "
    "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE@GLIBCXX_3.4.11");
