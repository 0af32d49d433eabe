// Functions of glibc that need _GNU_SOURCE, which Swift's Glibc module does not set.
#pragma once

#include <sys/fsuid.h>
#include <sys/types.h>

/// Both ends of a pipe, closed in every child: 0, or -1 with errno.
int ctest_pipe(int *reader, int *writer);

/// Starts a program with `count` `streams` as its descriptors from 0 on and no others, every signal at its default and none
/// blocked. With `terminal` (a path, or NULL) it leads a new session, which that terminal controls.
/// 0, or an errno as posix_spawnp(3) returns it.
int ctest_spawn(pid_t *pid, char *const arguments[], char *const variables[], const int streams[], int count,
                const char *terminal);

/// A listening socket at `path`, SOCK_STREAM or, as systemd passes one to the key server, SOCK_SEQPACKET; -1 with errno.
int ctest_listen(const char *path, int type);

/// A SOCK_DGRAM socket at `path`, as systemd has one for sd_notify(3); -1 with errno.
int ctest_bind_datagrams(const char *path);

/// A SOCK_STREAM socket connected to the one at `path`; -1 with errno.
int ctest_connect(const char *path);

/// Sends `size` bytes over `socket`, with a descriptor that it does not keep: one end of a TCP connection that takes
/// a minute to close (SO_LINGER), because it has sent more than is ever read. Returns the socket that the connection
/// was made to, for the caller to close; -1 with errno.
int ctest_send_lingering(int socket, const void *bytes, unsigned size);

/// Plugs in a HID device on USB (see <linux/uhid.h>) with a report descriptor of `size` bytes. It exists until the returned descriptor
/// is closed; -1 with errno.
int ctest_hid_create(const char *name, const char *uniq, const unsigned char *descriptor, unsigned short size);

/// Sends an input report. 0, or -1 with errno.
int ctest_hid_report(int device, const unsigned char *report, unsigned short size);

/// Reads the kernel's next message to the device: the size of an output report, 0 for another message; -1 with EAGAIN
/// if there is none.
int ctest_hid_output(int device, unsigned char *report, unsigned short capacity);

/// Brings the virtual terminal `/dev/ttyNUMBER` to the foreground, and waits until it is there. 0, or -1 with errno.
int ctest_console_show(int number);

/// Says that the wall clock is kept right, as NTP does: adjtimex(2). 0, or -1 with errno.
int ctest_synchronise_clock(void);

/// Gives this thread a umask and a working directory of its own (CLONE_FS), unless a sandbox forbids that.
void ctest_unshare_umask(void);

/// Gives this thread, and no other, the file permissions of a user (setfsuid(2)); only root may.
static inline void ctest_set_file_user(uid_t user) { setfsuid(user); }
