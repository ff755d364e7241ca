// Programs that are hard to observe: misbehaving KIND FOLDER. What they start notes its number in FOLDER.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *program, *folder;

__attribute__((noinline)) static void work(void) {
  for (volatile unsigned turn = 0; turn < 15u * 1000 * 1000; ++turn) {
  }
}

static void note(void) {
  char name[4096];
  snprintf(name, sizeof name, "%s/%d", folder, (int)getpid());
  close(open(name, O_CREAT | O_WRONLY, 0600));
}

static void daemonize(void) {
  if (fork() == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    note();
    for (int file = 0; file < 3; ++file) close(file);
    sleep(600);
    _exit(0);
  }
  wait(NULL);
  while (1) {  // until the daemon has noted itself
    char line[4300];
    snprintf(line, sizeof line, "ls '%s' | grep -q .", folder);
    if (system(line) == 0) break;
  }
}

static void crash(void) {
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  raise(SIGSEGV);
}

static void close_all(void) {
  for (int file = 0; file < 1024; ++file) close(file);
}

static void preload(void) {
  if (getenv("AGAIN") != NULL) return;
  setenv("AGAIN", "1", 1);
  setenv("LD_PRELOAD", "/no/such/library.so", 1);
  execl(program, program, "preload", folder, (char*)NULL);
}

static void clear(void) {
  char* const nothing[] = {NULL};
  execle(program, program, "work", folder, (char*)NULL, nothing);
}

static void other(void) {
  execl("/bin/sh", "sh", "-c", "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done", (char*)NULL);
}

static void loud(void) {
  char line[4096];
  memset(line, 'x', sizeof line);
  for (int i = 0; i < 2000; ++i) {
    if (write(1, line, sizeof line) < 0 || write(2, line, sizeof line) < 0) exit(3);
  }
}

static void given(void) {
  char byte;
  exit(read(0, &byte, 1) == 1 && byte == 'x' ? 0 : 4);
}

static void elsewhere(void) {
  if (chdir(folder) != 0) exit(5);
  FILE* file = fopen("0", "w");
  if (file == NULL) exit(5);
  fclose(file);
}

static void borrow(void) {
  const pid_t child = vfork();
  if (child == 0) {
    execl("/bin/true", "true", (char*)NULL);
    _exit(127);
  }
  waitpid(child, NULL, 0);
}

static void seal(void) {  // opening files ends with "no permission" from here on
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog filter = {sizeof rules / sizeof *rules, rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) exit(6);
}

static void hide(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

static void nothing(void) {}

static const struct {
  const char* name;
  void (*act)(void);
} kinds[] = {
    {"daemon", daemonize}, {"crash", crash},     {"close_all", close_all}, {"preload", preload}, {"clear", clear},
    {"exec", other},       {"loud", loud},       {"stdin", given},         {"chdir", elsewhere}, {"vfork", borrow},
    {"seccomp", seal},     {"undumpable", hide}, {"work", nothing},
};

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  program = argv[0], folder = argv[2];
  if (strcmp(argv[1], "seccomp") == 0) seal();
  if (strcmp(argv[1], "undumpable") == 0) hide();
  work();
  for (size_t at = 0; at < sizeof kinds / sizeof *kinds; ++at) {
    if (strcmp(kinds[at].name, argv[1]) == 0) {
      kinds[at].act();
      return 0;
    }
  }
  return 2;
}
