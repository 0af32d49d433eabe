#include "CTestSupport.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// If this fails half-way, the descriptors stay open: the test has failed then and is about to end.
static int connect_lingering(int *listener) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    *listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*listener == -1 || bind(*listener, (struct sockaddr *)&address, size) == -1) return -1;
    if (listen(*listener, 1) == -1 || getsockname(*listener, (struct sockaddr *)&address, &size) == -1) return -1;
    int end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (end == -1 || connect(end, (struct sockaddr *)&address, size) == -1) return -1;
    char bytes[65536] = {0};
    while (send(end, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {}
    struct linger minute = {.l_onoff = 1, .l_linger = 60};
    return setsockopt(end, SOL_SOCKET, SO_LINGER, &minute, sizeof minute) == -1 ? -1 : end;
}

// The process that closes the connection last is blocked for the minute. It must not be the sender, so no other
// process may run between sending and closing here on a machine with one processor. Only root may prevent that.
static void run_before_others(int is_wanted) {
    struct sched_param priority = {.sched_priority = is_wanted ? 1 : 0};
    sched_setscheduler(0, is_wanted ? SCHED_FIFO : SCHED_OTHER, &priority);
}

int ctest_send_lingering(int socket, const void *bytes, unsigned size) {
    int listener;
    int end = connect_lingering(&listener);
    if (end == -1) return -1;
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = size};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof end)];
    } control = {.header = {.cmsg_len = CMSG_LEN(sizeof end), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    memcpy(CMSG_DATA(&control.header), &end, sizeof end);
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    run_before_others(1);
    ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    int reason = errno;
    struct linger none = {0};
    if (sent == -1) setsockopt(end, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    close(end);
    run_before_others(0);
    if (sent == -1) close(listener);
    errno = reason;
    return sent == -1 ? -1 : listener;
}
