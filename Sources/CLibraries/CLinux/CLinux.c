#define _GNU_SOURCE
#include "CLinux.h"

#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

int pharos_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int pharos_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int pharos_tcp_socket(int family) { return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }
