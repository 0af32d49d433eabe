#pragma once
#include <systemd/sd-bus.h>

// The calls with variadic arguments, which Swift cannot make. Each is asynchronous: it returns at once, and `answer` is
// called with the reply or the error.

/// Notify of the Desktop Notifications Specification: one notification with the actions Acknowledge and Start again, which
/// stays until it is closed. `urgency` is 1 (normal) or 2 (critical).
static inline int csystemd_notify(
    sd_bus *bus, uint32_t replaced, const char *summary, const char *body, int urgency, sd_bus_message_handler_t answer,
    void *context) {
    return sd_bus_call_method_async(
        bus, NULL, "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications",
        "Notify", answer, context, "susssasa{sv}i", "counter", replaced, "arpa.home.counter", summary, body, 6,
        "default", "Acknowledge", "acknowledge", "Acknowledge", "again", "Start again", 4, "urgency", "y", urgency,
        "desktop-entry", "s", "arpa.home.counter", "resident", "b", 1, "suppress-sound", "b", 1, 0);
}

/// CloseNotification of the same specification.
static inline int csystemd_close(sd_bus *bus, uint32_t notification, sd_bus_message_handler_t answer, void *context) {
    return sd_bus_call_method_async(
        bus, NULL, "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications",
        "CloseNotification", answer, context, "u", notification);
}

/// GetServerInformation of the same specification: whether a server answers.
static inline int csystemd_ask_server(sd_bus *bus, sd_bus_message_handler_t answer, void *context) {
    return sd_bus_call_method_async(
        bus, NULL, "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications",
        "GetServerInformation", answer, context, NULL);
}

/// StartTransientUnit of org.freedesktop.systemd1(5): a timer that runs `executable --data-dir directory` at `calendar`, a
/// time of systemd.time(7), and when the wall clock is set, which moves the ends of timers.
static inline int csystemd_arm(
    sd_bus *bus, const char *timer, const char *service, const char *calendar, const char *executable,
    const char *directory, sd_bus_message_handler_t answer, void *context) {
    return sd_bus_call_method_async(
        bus, NULL, "org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager",
        "StartTransientUnit", answer, context, "ssa(sv)a(sa(sv))", timer, "replace", 5, "Description", "s",
        "Next alarm of counter", "TimersCalendar", "a(ss)", 1, "OnCalendar", calendar, "AccuracyUSec", "t",
        (uint64_t)100000, "RemainAfterElapse", "b", 0, "OnClockChange", "b", 1, 1, service, 2, "Description", "s", "Alarm of counter",
        "ExecStart", "a(sasb)", 1, executable, 3, executable, "--data-dir", directory, 0);
}

/// StopUnit of the same interface.
static inline int csystemd_stop(sd_bus *bus, const char *unit, sd_bus_message_handler_t answer, void *context) {
    return sd_bus_call_method_async(
        bus, NULL, "org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager",
        "StopUnit", answer, context, "ss", unit, "replace");
}

/// Whether the user's service manager answers.
static inline int csystemd_ask_manager(sd_bus *bus, sd_bus_message_handler_t answer, void *context) {
    return sd_bus_call_method_async(
        bus, NULL, "org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.DBus.Properties", "Get",
        answer, context, "ss", "org.freedesktop.systemd1.Manager", "Version");
}
