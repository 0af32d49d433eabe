#include "CTestSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <linux/uhid.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// struct uhid_event is packed and has a union and arrays of thousands of bytes, which Swift cannot import well.

static int send_event(int device, const struct uhid_event *event) {
    return write(device, event, sizeof *event) == sizeof *event ? 0 : -1;
}

int ctest_hid_create(const char *name, const char *uniq, const unsigned char *descriptor, unsigned short size) {
    struct uhid_event event = {.type = UHID_CREATE2};
    struct uhid_create2_req *create = &event.u.create2;
    if (size > sizeof create->rd_data) {
        errno = EINVAL;
        return -1;
    }
    snprintf((char *)create->name, sizeof create->name, "%s", name);
    snprintf((char *)create->phys, sizeof create->phys, "usb-test-1/input0");
    snprintf((char *)create->uniq, sizeof create->uniq, "%s", uniq);
    create->bus = BUS_USB;
    create->vendor = 0x1209;
    create->product = 0xC0DE;
    create->rd_size = size;
    memcpy(create->rd_data, descriptor, size);

    int device = open("/dev/uhid", O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (device == -1 || send_event(device, &event) == 0) return device;
    int reason = errno;
    close(device);
    errno = reason;
    return -1;
}

int ctest_hid_report(int device, const unsigned char *report, unsigned short size) {
    struct uhid_event event = {.type = UHID_INPUT2};
    if (size > sizeof event.u.input2.data) {
        errno = EINVAL;
        return -1;
    }
    event.u.input2.size = size;
    memcpy(event.u.input2.data, report, size);
    return send_event(device, &event);
}

int ctest_hid_output(int device, unsigned char *report, unsigned short capacity) {
    struct uhid_event event;
    if (read(device, &event, sizeof event) <= 0) return -1;
    if (event.type != UHID_OUTPUT) return 0;
    unsigned short size = event.u.output.size < capacity ? event.u.output.size : capacity;
    memcpy(report, event.u.output.data, size);
    return size;
}
