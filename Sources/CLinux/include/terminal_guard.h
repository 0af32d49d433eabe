// Gives the terminal back whatever happens to the process, short of SIGKILL.
#pragma once

#include <stddef.h>

/// Saves `terminal`'s modes and the bytes that leave full-screen mode (both copied), and installs handlers for
/// SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE and SIGABRT, and atexit(3), that restore both. The handlers then hand the
/// signal to whoever had it before (a backtracer, a sanitizer, or the default action).
/// Returns 0, or -1 with errno: ENOTTY and the like from tcgetattr(3), E2BIG where `count` is above 512.
/// The descriptor must stay open until clinux_guard_disarm. One terminal at a time.
int clinux_guard_arm(int terminal, const char *leave, size_t count);

/// Whether there is something to give back (1) or the terminal is the shell's for now (0).
void clinux_guard_set_active(int active);

/// Gives the terminal back if the guard is active, and makes it inactive. Async-signal-safe.
void clinux_guard_restore(void);

/// Puts back the signal actions from before clinux_guard_arm. Restores nothing.
void clinux_guard_disarm(void);

/// TIOCGWINSZ (ioctl(2) is variadic). Returns 0, or -1 with errno.
int clinux_window_size(int terminal, int *columns, int *rows);
