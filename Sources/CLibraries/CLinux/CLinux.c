#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

int pharos_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int pharos_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int pharos_tcp_socket(int family) { return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }

int pharos_address_family(const char *text) {
    unsigned char scratch[sizeof(struct in6_addr)];
    if (inet_pton(AF_INET, text, scratch) == 1) return 4;
    return inet_pton(AF_INET6, text, scratch) == 1 ? 6 : 0;
}

static socklen_t fill_address(const char *text, uint16_t port, struct sockaddr_storage *storage) {
    struct sockaddr_in *v4 = (struct sockaddr_in *)storage;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)storage;
    memset(storage, 0, sizeof *storage);
    if (inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(port);
        return sizeof *v4;
    }
    if (inet_pton(AF_INET6, text, &v6->sin6_addr) == 1) {
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(port);
        return sizeof *v6;
    }
    return 0;
}

static int close_with_error(int descriptor) {
    int error = errno;
    close(descriptor);
    return -error;
}

int pharos_listen(const char *address, uint16_t port, int share_port, int backlog) {
    struct sockaddr_storage storage;
    socklen_t length = fill_address(address, port, &storage);
    if (length == 0) return -EINVAL;
    int descriptor = pharos_tcp_socket(storage.ss_family);
    if (descriptor < 0) return -errno;
    int on = 1;
    if (setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0) return close_with_error(descriptor);
    if (share_port && setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0)
        return close_with_error(descriptor);
    if (bind(descriptor, (struct sockaddr *)&storage, length) != 0) return close_with_error(descriptor);
    if (listen(descriptor, backlog) != 0) return close_with_error(descriptor);
    return descriptor;
}

int pharos_connect(const char *address, uint16_t port) {
    struct sockaddr_storage storage;
    socklen_t length = fill_address(address, port, &storage);
    if (length == 0) return -EINVAL;
    int descriptor = pharos_tcp_socket(storage.ss_family);
    if (descriptor < 0) return -errno;
    pharos_no_delay(descriptor);
    if (connect(descriptor, (struct sockaddr *)&storage, length) != 0 && errno != EINPROGRESS)
        return close_with_error(descriptor);
    return descriptor;
}

int pharos_socket_error(int descriptor) {
    int error = 0;
    socklen_t length = sizeof error;
    if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) != 0) return -errno;
    return -error;
}

int pharos_local_port(int descriptor) {
    struct sockaddr_storage storage;
    socklen_t length = sizeof storage;
    if (getsockname(descriptor, (struct sockaddr *)&storage, &length) != 0) return -errno;
    if (storage.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&storage)->sin_port);
    return ntohs(((struct sockaddr_in6 *)&storage)->sin6_port);
}

int pharos_peer_address(int descriptor, char address[PHAROS_ADDRESS_BYTES]) {
    struct sockaddr_storage storage;
    socklen_t length = sizeof storage;
    if (getpeername(descriptor, (struct sockaddr *)&storage, &length) != 0) return -errno;
    const void *source = &((struct sockaddr_in *)&storage)->sin_addr;
    int family = storage.ss_family;
    if (family == AF_INET6) {
        const struct in6_addr *v6 = &((struct sockaddr_in6 *)&storage)->sin6_addr;
        int mapped = IN6_IS_ADDR_V4MAPPED(v6);
        family = mapped ? AF_INET : AF_INET6;
        source = mapped ? (const void *)&v6->s6_addr[12] : (const void *)v6;
    }
    return inet_ntop(family, source, address, PHAROS_ADDRESS_BYTES) ? 0 : -errno;
}

int pharos_no_delay(int descriptor) {
    int on = 1;
    return setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 ? 0 : -errno;
}

int pharos_resolve(const char *host, char *addresses, int limit) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG};
    struct addrinfo *found = NULL;
    int code = getaddrinfo(host, NULL, &hints, &found);
    if (code != 0) return code < 0 ? code : -code;
    int count = 0;
    for (struct addrinfo *entry = found; entry && count < limit; entry = entry->ai_next) {
        const void *source = entry->ai_family == AF_INET ? (void *)&((struct sockaddr_in *)entry->ai_addr)->sin_addr
                                                         : (void *)&((struct sockaddr_in6 *)entry->ai_addr)->sin6_addr;
        if (inet_ntop(entry->ai_family, source, addresses + count * PHAROS_ADDRESS_BYTES, PHAROS_ADDRESS_BYTES)) count++;
    }
    freeaddrinfo(found);
    return count;
}

ptrdiff_t pharos_receive(int descriptor, void *bytes, size_t count) {
    ssize_t received;
    do received = recv(descriptor, bytes, count, 0);
    while (received < 0 && errno == EINTR);
    return received < 0 ? -errno : received;
}

ptrdiff_t pharos_send(int descriptor, const void *bytes, size_t count) {
    ssize_t sent;
    do sent = send(descriptor, bytes, count, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : sent;
}

int pharos_shutdown_writing(int descriptor) { return shutdown(descriptor, SHUT_WR) == 0 ? 0 : -errno; }

int pharos_reset_on_close(int descriptor) {
    struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    return setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once) == 0 ? 0 : -errno;
}

void pharos_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

static _Thread_local void *thread_context;

void *pharos_thread_context(void) { return thread_context; }

void pharos_set_thread_context(void *context) { thread_context = context; }

void pharos_name_thread(const char *name) {
    char kept[16];
    strncpy(kept, name, sizeof kept - 1);
    kept[sizeof kept - 1] = 0;
    pthread_setname_np(pthread_self(), kept);
}
