// Linux calls that Glibc's module lacks, or that Swift cannot call (variadics, macros, sigaction's union).
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

#include "terminal_guard.h"

/// POSIX_SPAWN_SETSID: <spawn.h> hides it without _GNU_SOURCE, which Swift's Glibc module is built without.
static const int clinux_spawn_setsid = 0x80;
