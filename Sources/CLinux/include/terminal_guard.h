// Gives the terminal back whatever happens to the process, short of SIGKILL.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Remembers `terminal` and the bytes that leave full-screen mode (copied), and installs handlers for SIGILL, SIGTRAP,
/// SIGSEGV, SIGBUS, SIGFPE and SIGABRT, and atexit(3), that give it back. The handlers then hand the signal to whoever
/// had it before (a backtracer, a sanitizer, or the default action).
/// Returns 0, or -1 with errno: ENOTTY and the like from tcgetattr(3), E2BIG where `count` is above 512.
/// The descriptor must stay open until clinux_guard_disarm, and be non-blocking for clinux_guard_restore not to wait.
/// One terminal at a time.
int clinux_guard_arm(int terminal, const char *leave, size_t count);

/// Throws away what can be read, saves the terminal's modes and sets those of full-screen mode: from now on there is
/// something to give back.
void clinux_guard_take(void);

/// Gives the terminal back where it was taken: modes, and the bytes. What it has been sent and does not take within
/// 0.2 s is thrown away for them. Async-signal-safe.
void clinux_guard_restore(void);

/// Puts back the signal actions from before clinux_guard_arm. Restores nothing.
void clinux_guard_disarm(void);

/// TIOCGWINSZ (ioctl(2) is variadic). Returns 0, or -1 with errno.
int clinux_window_size(int terminal, int *columns, int *rows);

/// TIOCGDEV: which device a terminal really is, `/dev/tty` and `/dev/console` too. Returns 0, or -1 with errno.
int clinux_terminal_device(int terminal, uint32_t *major, uint32_t *minor);
