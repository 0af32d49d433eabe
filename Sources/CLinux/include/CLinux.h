// Linux calls that Glibc's module lacks, or that Swift cannot call (variadics, macros, sigaction's union).
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "terminal_guard.h"

/// pidfd_open(2): a descriptor that becomes readable when the process ends. glibc has it only since 2.36.
static inline int clinux_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

/// unshare(2) with CLONE_FILES, which <sched.h> declares only with _GNU_SOURCE: this thread gets its own copy of the table
/// of descriptors.
static inline int clinux_unshare_files(void) { return (int)syscall(SYS_unshare, 0x400); }

/// Whether NTP keeps the wall clock right: adjtimex(2), which Glibc's module lacks. A clock that is set by hand is no longer.
static inline int clinux_clock_is_synchronised(void) {
    struct timex state = {.modes = 0};
    return adjtimex(&state) >= 0 && !(state.status & STA_UNSYNC);
}

/// The type of the file system that a path is on, a number of linux/magic.h: statfs(2), which Glibc's module lacks. 0
/// with errno if it is unknown.
static inline uint32_t clinux_file_system_type(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (uint32_t)status.f_type : 0;
}

/// Whether a file has an access control list besides its mode (acl(5)): getxattr(2), which Glibc's module lacks.
static inline int clinux_has_access_list(const char *path) {
    return getxattr(path, "system.posix_acl_access", NULL, 0) > 0;
}

/// The numbers of a device, as /proc/self/mountinfo names them: major(3) and minor(3) are macros.
static inline void clinux_device_numbers(dev_t device, unsigned int numbers[2]) {
    numbers[0] = major(device);
    numbers[1] = minor(device);
}

/// POSIX_SPAWN_SETSID: <spawn.h> hides it without _GNU_SOURCE, which Swift's Glibc module is built without.
static const int clinux_spawn_setsid = 0x80;

/// wcwidth(3), which <wchar.h> declares only with _XOPEN_SOURCE: the columns of a character in the process' locale,
/// -1 for one that cannot be printed.
static inline int clinux_columns(uint32_t character) {
    extern int wcwidth(wchar_t);
    return wcwidth((wchar_t)character);
}

/// accept4(2), which <sys/socket.h> declares only with _GNU_SOURCE: non-blocking, closed on exec.
static inline int clinux_accept(int listener) {
    extern int accept4(int, struct sockaddr *, socklen_t *, int);
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/// `struct ucred`, which <sys/socket.h> declares only with _GNU_SOURCE.
struct clinux_credentials {
    pid_t process;
    uid_t user;
    gid_t group;
};

/// SO_PEERCRED: 0, or -1 with errno.
static inline int clinux_peer(int socket, struct clinux_credentials *peer) {
    socklen_t size = sizeof *peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, peer, &size);
}

/// SO_PEERGROUPS: the supplementary groups of the peer. Returns their number, or -1 with errno.
static inline int clinux_peer_groups(int socket, gid_t *groups, uint32_t capacity) {
    socklen_t size = capacity * sizeof *groups;
    int result = getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &size);
    return result == -1 ? -1 : (int)(size / sizeof *groups);
}

/// SO_PASSRIGHTS (Linux 6.16, newer than most headers): no peer can send descriptors to this socket, nor to those
/// that are accepted from it. Returns 0, or -1 with ENOPROTOOPT if the kernel is older.
static inline int clinux_refuse_descriptors(int socket) {
    int isAllowed = 0;
    return setsockopt(socket, SOL_SOCKET, 83, &isAllowed, sizeof isAllowed);
}

/// Whether the next message has descriptors: 1 or 0, or -1 with errno. recvmsg(2) with MSG_PEEK leaves the message in
/// the queue; without room for descriptors, the kernel sets MSG_CTRUNC if there are any.
static inline int clinux_brings_descriptors(int socket) {
    char byte;
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (recvmsg(socket, &message, MSG_PEEK | MSG_DONTWAIT) == -1) return -1;
    return (message.msg_flags & MSG_CTRUNC) != 0;
}

/// Copies the path that a socket is bound to, or "" if it has none. Returns 0, or -1 with errno. `size` is at least
/// 1.
static inline int clinux_socket_path(int socket, char *path, unsigned long size) {
    struct sockaddr_un address = {0};
    // One byte less than there is, so that a path of any length ends in zero.
    socklen_t length = sizeof address - 1;
    if (getsockname(socket, (struct sockaddr *)&address, &length) == -1) return -1;
    strncpy(path, address.sun_family == AF_UNIX ? address.sun_path : "", size - 1);
    path[size - 1] = 0;
    return 0;
}

/// The address of a path: its size, or 0 with ENAMETOOLONG. Swift sees the array of `struct sockaddr_un` as a tuple.
static inline socklen_t clinux_address(const char *path, struct sockaddr_un *address) {
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address->sun_path) {
        errno = ENAMETOOLONG;
        return 0;
    }
    strcpy(address->sun_path, path);
    return sizeof *address;
}

/// The socket if it is ready; otherwise closes it and returns -1 with the errno of the call that failed.
static inline int clinux_ready(int socket, int is_ready) {
    if (is_ready) return socket;
    int reason = errno;
    close(socket);
    errno = reason;
    return -1;
}

/// A socket connected to the one at `path`, or at an abstract name after an @ (unix(7)); -1 with errno.
static inline int clinux_connect(const char *path, int type) {
    struct sockaddr_un address;
    socklen_t size = clinux_address(path, &address);
    if (size == 0) return -1;
    if (path[0] == '@') {
        address.sun_path[0] = 0;
        size = offsetof(struct sockaddr_un, sun_path) + strlen(path);
    }
    int number = socket(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (number == -1) return -1;
    return clinux_ready(number, connect(number, (struct sockaddr *)&address, size) == 0);
}

/// A SOCK_STREAM socket that listens at `path`, or -1 with errno. From the start only this user can connect: it is always
/// a file, since an abstract name has no mode.
static inline int clinux_listen(const char *path) {
    struct sockaddr_un address;
    socklen_t size = clinux_address(path, &address);
    if (size == 0) return -1;
    int number = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (number == -1) return -1;
    mode_t mask = umask(0177);
    int result = bind(number, (struct sockaddr *)&address, size);
    umask(mask);
    return clinux_ready(number, result == 0 && listen(number, SOMAXCONN) == 0);
}

/// Unmaps the pages of the segments of the program and its libraries that cannot be written to. madvise(2) and dl_iterate_phdr(3) are declared
/// only with _DEFAULT_SOURCE and _GNU_SOURCE.
void clinux_release_program_pages(void);
