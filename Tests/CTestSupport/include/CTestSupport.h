// What of glibc is behind _GNU_SOURCE, which Swift's Glibc module does not set.
#pragma once

#include <sys/fsuid.h>
#include <sys/types.h>

/// Both ends of a pipe, or of a terminal, closed in every child: 0, or -1 with errno.
int ctest_pipe(int *reader, int *writer);
int ctest_terminal(unsigned short columns, unsigned short rows, int *master, int *slave);

/// Starts a program with `streams` as its descriptors 0, 1 and 2 and no others, every signal at its default and none
/// blocked. With `terminal` (a path, or NULL) it leads a new session, which that terminal controls.
/// 0, or an errno as posix_spawnp(3) returns it.
int ctest_spawn(pid_t *pid, char *const arguments[], char *const variables[], const int streams[3],
                const char *terminal);

/// What a HID device says of itself; see <linux/uhid.h>.
struct ctest_hid {
    const char *name, *phys, *uniq;
    unsigned short bus, vendor, product;
    const unsigned char *descriptor;
    unsigned short size;
};

/// Plugs in a HID device, there until the descriptor that is returned is closed. -1 with errno where that fails.
int ctest_hid_create(const struct ctest_hid *device);

/// Sends an input report. 0, or -1 with errno.
int ctest_hid_report(int device, const unsigned char *report, unsigned short size);

/// Gives this thread, and no other, the file permissions of a user (setfsuid(2)); only root may.
static inline void ctest_set_file_user(uid_t user) { setfsuid(user); }
