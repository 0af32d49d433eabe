#include "twin.h"

#include <fcntl.h>
#include <libevdev/libevdev.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void tell_presses(const char *node, int socket, int64_t *stamp) {
    struct libevdev *device;
    struct input_event event;
    int descriptor = open(node, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 || libevdev_new_from_fd(descriptor, &device) < 0) return;
    libevdev_set_clock_id(device, CLOCK_MONOTONIC);
    if (write(socket, "", 1) != 1) return;
    while (libevdev_next_event(device, LIBEVDEV_READ_FLAG_NORMAL | LIBEVDEV_READ_FLAG_BLOCKING, &event) >= 0) {
        if (event.type != EV_KEY || event.value != 1) continue;
        *stamp = event.input_event_sec * 1000000LL + event.input_event_usec;
        if (write(socket, "", 1) != 1) return;
    }
}

int twin_start(const char *node, struct twin *twin) {
    int ends[2];
    twin->stamp = mmap(NULL, sizeof *twin->stamp, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (twin->stamp == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) return -1;
    twin->process = fork();
    if (twin->process == 0) {
        close(ends[0]);
        tell_presses(node, ends[1], twin->stamp);
        _exit(1);
    }
    close(ends[1]);
    twin->socket = ends[0];
    return twin->process < 0 ? -1 : 0;
}

void twin_end(struct twin *twin) {
    kill(twin->process, SIGKILL);
    waitpid(twin->process, NULL, 0);
    close(twin->socket);
    munmap(twin->stamp, sizeof *twin->stamp);
}
