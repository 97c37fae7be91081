#ifndef PHAROS_CLINUX_H
#define PHAROS_CLINUX_H

/* What the Glibc module lacks. The public header includes no header but this one of the system, so that no other
   Clang module sees a different view of it. */
#include <sys/epoll.h>

/* Accepts one connection, non-blocking and close-on-exec. Returns the descriptor or -1 with errno set. */
int pharos_accept(int listener);

/* An event counter, non-blocking and close-on-exec. */
int pharos_eventfd(void);

/* Opens a TCP socket, non-blocking and close-on-exec. family is AF_INET or AF_INET6. */
int pharos_tcp_socket(int family);

#endif
