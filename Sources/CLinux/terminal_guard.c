// clinux_guard_restore runs in signal handlers: it uses only static memory, and only calls that signal-safety(7)
// lists.
#include "CLinux.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LEAVE_SIZE = 512, STACK_SIZE = 32768 };

// How long a terminal may take no output before output is discarded, in milliseconds.
enum { OUTPUT_TIMEOUT = 200 };

static const int fatal[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
enum { FATAL_COUNT = sizeof fatal / sizeof *fatal };

static struct {
    int terminal;
    struct termios modes;
    char leave[LEAVE_SIZE];
    size_t count;
    struct sigaction before[FATAL_COUNT];
    int installed;
    volatile sig_atomic_t active;
} guard;

// A stack overflow is a SIGSEGV too: its handler needs a stack of its own.
static char stack[STACK_SIZE];

// Waits until the terminal takes output, at most for that time.
static int is_writable(void) {
    struct pollfd request = {.fd = guard.terminal, .events = POLLOUT};
    return poll(&request, 1, OUTPUT_TIMEOUT) == 1 && request.revents & POLLOUT;
}

// If the terminal takes nothing, its unsent output is discarded, once, to make room.
static void write_all(const char *bytes, size_t count) {
    int is_flushed = 0;
    while (count > 0) {
        ssize_t written = is_writable() ? write(guard.terminal, bytes, count) : 0;
        if (written < 0 && errno == EINTR) continue;
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        } else {
            if (is_flushed++) return;
            tcflush(guard.terminal, TCOFLUSH);
        }
    }
}

static void set_modes(void) {
    struct termios modes = guard.modes;
    // ncurses' output is sent unchanged: a line feed moves down and not to column 1.
    modes.c_oflag &= ~(tcflag_t)OPOST;
    // Keys arrive one by one, unechoed, Return as CR, and reading never blocks. Ctrl-C and Ctrl-Z still send signals.
    modes.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | ISTRIP);
    modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    modes.c_cc[VMIN] = 0;
    modes.c_cc[VTIME] = 0;
    tcsetattr(guard.terminal, TCSANOW, &modes);
}

void clinux_guard_take(void) {
    if (tcgetattr(guard.terminal, &guard.modes) < 0) return;
    // Earlier input was meant for another program, or is the terminal's answer to one.
    tcflush(guard.terminal, TCIFLUSH);
    guard.active = 1;
    set_modes();
}

void clinux_guard_take_again(void) {
    if (guard.active) set_modes();
}

void clinux_guard_restore(void) {
    if (!guard.active) return;
    guard.active = 0;
    int saved = errno;
    // In the background, tcsetattr would stop the process instead of letting it end.
    sigset_t output, before;
    sigemptyset(&output);
    sigaddset(&output, SIGTTOU);
    sigprocmask(SIG_BLOCK, &output, &before);
    // Modes first: they can be set whether or not the terminal takes output.
    tcsetattr(guard.terminal, TCSANOW, &guard.modes);
    // Undoes a Ctrl-S. TCOON alone undoes only TCOOFF; the two together undo either.
    tcflow(guard.terminal, TCOOFF);
    tcflow(guard.terminal, TCOON);
    write_all(guard.leave, guard.count);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = saved;
}

static void handle_fatal(int number) {
    clinux_guard_restore();
    for (int i = 0; i < FATAL_COUNT; i++) {
        if (fatal[i] == number) sigaction(number, &guard.before[i], NULL);
    }
    // Pending until this handler returns, then handled by the action from before.
    raise(number);
}

static void give_alternate_stack(void) {
    stack_t now;
    if (sigaltstack(NULL, &now) == 0 && !(now.ss_flags & SS_DISABLE)) return;
    stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&own, NULL);
}

static void install_handlers(void) {
    struct sigaction action = {.sa_handler = handle_fatal, .sa_flags = SA_ONSTACK};
    sigfillset(&action.sa_mask);
    for (int i = 0; i < FATAL_COUNT; i++) sigaction(fatal[i], &action, &guard.before[i]);
    guard.installed = 1;
}

int clinux_guard_arm(int terminal, const char *leave, size_t count) {
    static int at_exit;
    if (count > LEAVE_SIZE) {
        errno = E2BIG;
        return -1;
    }
    guard.active = 0;
    guard.terminal = terminal;
    if (tcgetattr(terminal, &guard.modes) < 0) return -1;
    memcpy(guard.leave, leave, count);
    guard.count = count;
    give_alternate_stack();
    if (!guard.installed) install_handlers();
    if (!at_exit) at_exit = atexit(clinux_guard_restore) == 0;
    return 0;
}

void clinux_guard_disarm(void) {
    guard.active = 0;
    if (!guard.installed) return;
    for (int i = 0; i < FATAL_COUNT; i++) sigaction(fatal[i], &guard.before[i], NULL);
    guard.installed = 0;
}

int clinux_window_size(int terminal, int *columns, int *rows) {
    struct winsize size;
    if (ioctl(terminal, TIOCGWINSZ, &size) < 0) return -1;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}

int clinux_terminal_device(int terminal, uint32_t *major, uint32_t *minor) {
    unsigned device;
    if (ioctl(terminal, TIOCGDEV, &device) < 0) return -1;
    // Packed by new_encode_dev in linux/kdev_t.h of the kernel.
    *major = device >> 8 & 0xFFF;
    *minor = (device & 0xFF) | (device >> 12 & 0xFFF00);
    return 0;
}
