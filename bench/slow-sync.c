/* A library to load before libc: each sync of a file takes SLOW_MS longer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void slow(void) {
  const char *ms = getenv("SLOW_MS");
  if (ms) usleep(atoi(ms) * 1000);
}

int fsync(int file) {
  slow();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}

int fdatasync(int file) {
  slow();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
