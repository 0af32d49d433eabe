#define _GNU_SOURCE
#include "CTestSupport.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <unistd.h>

void ctest_unshare_umask(void) { unshare(CLONE_FS); }

int ctest_synchronise_clock(void) {
    // With an error that the kernel takes for too large it would say by itself that the clock is not.
    struct timex state = {.modes = ADJ_STATUS | ADJ_MAXERROR, .status = 0, .maxerror = 0};
    return adjtimex(&state) == -1 ? -1 : 0;
}

int ctest_pipe(int *reader, int *writer) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) == -1) return -1;
    *reader = ends[0];
    *writer = ends[1];
    return 0;
}

int ctest_spawn(pid_t *pid, char *const arguments[], char *const variables[], const int streams[], int count,
                const char *terminal) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < count; i++) posix_spawn_file_actions_adddup2(&actions, streams[i], i);
    // Opening a terminal as the leader of a new session makes it the controlling one.
    if (terminal) posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, count);

    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              (terminal ? POSIX_SPAWN_SETSID : 0));

    int result = posix_spawnp(pid, arguments[0], &actions, &attributes, arguments, variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return result;
}

static int unix_socket(const char *path, int type, struct sockaddr_un *address) {
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    strncpy(address->sun_path, path, sizeof address->sun_path - 1);
    return socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
}

// Returns the socket; where it could not be used it is closed, and -1 returned.
static int close_unless(int is_ready, int number) {
    if (is_ready) return number;
    close(number);
    return -1;
}

int ctest_listen(const char *path, int type) {
    struct sockaddr_un address;
    int number = unix_socket(path, type, &address);
    if (number == -1) return -1;
    unlink(path);
    return close_unless(bind(number, (struct sockaddr *)&address, sizeof address) == 0 && listen(number, 128) == 0, number);
}

int ctest_bind_datagrams(const char *path) {
    struct sockaddr_un address;
    int number = unix_socket(path, SOCK_DGRAM, &address);
    if (number == -1) return -1;
    return close_unless(bind(number, (struct sockaddr *)&address, sizeof address) == 0, number);
}

int ctest_connect(const char *path) {
    struct sockaddr_un address;
    int number = unix_socket(path, SOCK_STREAM, &address);
    if (number == -1) return -1;
    return close_unless(connect(number, (struct sockaddr *)&address, sizeof address) == 0, number);
}
