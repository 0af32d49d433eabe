// Restores the terminal however the process ends, except by SIGKILL.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Stores `terminal` and a copy of the bytes that leave full-screen mode, and installs handlers for SIGILL, SIGTRAP,
/// SIGSEGV, SIGBUS, SIGFPE and SIGABRT, and one for atexit(3), which restore the terminal. The handlers then pass the
/// signal on to the action from before (a backtracer's, a sanitizer's, or the default). Returns 0, or -1 with errno:
/// ENOTTY and the like from tcgetattr(3), E2BIG if `count` is above 512. The descriptor must stay open until
/// clinux_guard_disarm; it must be non-blocking, or clinux_guard_restore may block. One terminal at a time.
int clinux_guard_arm(int terminal, const char *leave, size_t count);

/// Saves the terminal's modes, discards unread input, and sets the modes of full-screen mode. From now on there is
/// something to restore.
void clinux_guard_take(void);

/// Sets the modes of full-screen mode again, after another program may have changed them (SIGSTOP, then SIGCONT).
void clinux_guard_take_again(void);

/// Restores the terminal, if clinux_guard_take was called: its modes, then the bytes. If the terminal takes no output
/// for 0.2 s, its unsent output is discarded to make room for them. Async-signal-safe.
void clinux_guard_restore(void);

/// Restores the signal actions from before clinux_guard_arm, not the terminal.
void clinux_guard_disarm(void);

/// TIOCGWINSZ (ioctl(2) is variadic). Returns 0, or -1 with errno.
int clinux_window_size(int terminal, int *columns, int *rows);

/// TIOCGDEV: the device behind a terminal, also behind `/dev/tty` and `/dev/console`. Returns 0, or -1 with errno.
int clinux_terminal_device(int terminal, uint32_t *major, uint32_t *minor);
