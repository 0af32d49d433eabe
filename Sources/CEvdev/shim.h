// libevdev, and the parts of <linux/input.h> that Swift cannot import.
#pragma once

#include <libevdev/libevdev-uinput.h>
#include <libevdev/libevdev.h>
#include <linux/input.h>
#include <stdint.h>
#include <sys/ioctl.h>

// ioctl(2) is variadic and the EVIOC… requests are macros with casts: neither is imported into Swift.
// Each function returns what ioctl returns and leaves errno as it is.

static inline int cevdev_grab(int fd, int on) { return ioctl(fd, EVIOCGRAB, (void *)(intptr_t)on); }

static inline int cevdev_set_clock(int fd, int clock) { return ioctl(fd, EVIOCSCLOCKID, &clock); }

static inline int cevdev_revoke(int fd) { return ioctl(fd, EVIOCREVOKE, (void *)0); }

/// EVIOCSMASK: limits what the kernel queues on this descriptor to the set bits. `size` is in bytes, a multiple of 8.
static inline int cevdev_set_mask(int fd, uint32_t type, const uint64_t *bits, uint32_t size) {
    struct input_mask mask = {.type = type, .codes_size = size, .codes_ptr = (uint64_t)(uintptr_t)bits};
    return ioctl(fd, EVIOCSMASK, &mask);
}

/// EVIOCGKEY: which keys are down now. Not for a descriptor that is read: its queued key events are discarded.
static inline int cevdev_get_keys_down(int fd, uint64_t *bits, uint32_t size) {
    return ioctl(fd, EVIOCGKEY(size), bits);
}

/// Reads an entry of the key map, by its index or its scan code as `entry->flags` says; EINVAL if there is none.
static inline int cevdev_get_keymap_entry(int fd, struct input_keymap_entry *entry) {
    return ioctl(fd, EVIOCGKEYCODE_V2, entry);
}

/// Sets the key code of an entry of the key map, by its index or its scan code as `entry->flags` says.
static inline int cevdev_set_keymap_entry(int fd, const struct input_keymap_entry *entry) {
    return ioctl(fd, EVIOCSKEYCODE_V2, entry);
}
