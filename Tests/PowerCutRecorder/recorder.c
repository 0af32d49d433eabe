// Preloaded (ld.so(8), LD_PRELOAD) into the program by the power-cut test. It appends to the file
// POWER_CUT_RECORDING, in order, the program's operations on files below the directory POWER_CUT_FOLDER, and its
// output to standard output and terminals. `Recording` in CounterStoreTests reads that; it also notices if a call is
// missing here.
//
// It lowers SQLite's wal_autocheckpoint, so that a short recording has many checkpoints. With POWER_CUT_SYNCHRONOUS
// it sets SQLite's `synchronous` to that before each transaction, without the program's knowledge: the negative
// control.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CHECKPOINT_FRAMES = 12 };

static int recording = -1;
static const char *folder = "/";
static _Thread_local char name[4096];

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("POWER_CUT_RECORDING"), *below = getenv("POWER_CUT_FOLDER");
    if (!path || !below) return;
    folder = below;
    int file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    // A high number, so that it does not collide with those that the program passes on.
    recording = fcntl(file, F_DUPFD_CLOEXEC, 500);
    close(file);
    if (recording == -1) abort();
}

// The path of a descriptor; it ends in " (deleted)" if the file has no name any more.
static const char *path_of(int fd) {
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, name, sizeof name - 1);
    name[length < 0 ? 0 : length] = 0;
    return name;
}

// One writev(2) with O_APPEND for each, so that several programs can be recorded at once.
static void record(char kind, const char *path, uint64_t offset, const void *bytes, uint64_t length) {
    if (recording == -1 || strncmp(path, folder, strlen(folder)) != 0) return;
    int code = errno;
    uint64_t head[] = {kind, offset, strlen(path), length};
    struct iovec parts[] = {{head, sizeof head}, {(void *)path, head[2]}, {(void *)bytes, length}};
    if (writev(recording, parts, 3) != (ssize_t)(sizeof head + head[2] + length)) abort();
    errno = code;
}

static int opened(const char *path, int flags, mode_t mode) {
    int is_new = flags & O_CREAT && access(path, F_OK) != 0;
    int fd = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (fd != -1 && is_new) record('c', path_of(fd), 0, NULL, 0);
    return fd;
}

#define OPEN(function)                                           \
    int function(const char *path, int flags, ...) {             \
        va_list more;                                            \
        va_start(more, flags);                                   \
        mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0; \
        va_end(more);                                            \
        return opened(path, flags, mode);                        \
    }
OPEN(open)
OPEN(open64)

int mkdir(const char *path, mode_t mode) {
    int result = syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    if (result == 0) record('d', path, 0, NULL, 0);
    return result;
}

int unlink(const char *path) {
    int result = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (result == 0) record('u', path, 0, NULL, 0);
    return result;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
    ssize_t count = syscall(SYS_pwrite64, fd, bytes, length, offset);
    if (count > 0) record('w', path_of(fd), offset, bytes, count);
    return count;
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return pwrite64(fd, bytes, length, offset); }

// The screen goes through a descriptor of its own.
static int is_heard(int fd) {
    int code = errno, is_heard = fd == STDOUT_FILENO || isatty(fd);
    errno = code;
    return is_heard;
}

ssize_t write(int fd, const void *bytes, size_t length) {
    // Recorded before it is written, so that no reader receives output that is not in the recording.
    if (is_heard(fd)) record('a', folder, 0, bytes, length);
    return syscall(SYS_write, fd, bytes, length);
}

int ftruncate64(int fd, off64_t size) {
    int result = syscall(SYS_ftruncate, fd, size);
    if (result == 0) record('t', path_of(fd), size, NULL, 0);
    return result;
}

static int synced(int fd, int result) {
    if (result == 0) record('s', path_of(fd), 0, NULL, 0);
    return result;
}
int fsync(int fd) { return synced(fd, syscall(SYS_fsync, fd)); }
int fdatasync(int fd) { return synced(fd, syscall(SYS_fdatasync, fd)); }

// SQLite's functions, declared without its header: a database or statement is any pointer here.
#define NEXT(type, function) ((type)dlsym(RTLD_NEXT, function))
typedef int (*Open)(const char *, void **, int, const char *);
typedef int (*Prepare)(void *, const char *, int, unsigned, void **, const char **);
typedef int (*Execute)(void *, const char *, void *, void *, char **);
typedef int (*Limit)(void *, int);

int sqlite3_open_v2(const char *path, void **database, int flags, const char *vfs) {
    int code = NEXT(Open, "sqlite3_open_v2")(path, database, flags, vfs);
    if (code == 0) NEXT(Limit, "sqlite3_wal_autocheckpoint")(*database, CHECKPOINT_FRAMES);
    return code;
}

int sqlite3_prepare_v3(void *database, const char *sql, int length, unsigned flags, void **statement, const char **rest) {
    const char *level = getenv("POWER_CUT_SYNCHRONOUS");
    if (level && strncasecmp(sql, "BEGIN", 5) == 0) {
        char pragma[64];
        snprintf(pragma, sizeof pragma, "PRAGMA synchronous = %s", level);
        if (NEXT(Execute, "sqlite3_exec")(database, pragma, NULL, NULL, NULL) != 0) abort();
    }
    return NEXT(Prepare, "sqlite3_prepare_v3")(database, sql, length, flags, statement, rest);
}
