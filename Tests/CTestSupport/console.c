#include "CTestSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/vt.h>
#include <sys/ioctl.h>
#include <unistd.h>

int ctest_console_show(int number) {
    int console = open("/dev/tty0", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (console == -1) return -1;
    int result = ioctl(console, VT_ACTIVATE, number);
    while (result == 0 && ioctl(console, VT_WAITACTIVE, number) == -1) {
        if (errno != EINTR) result = -1;
    }
    close(console);
    return result;
}
