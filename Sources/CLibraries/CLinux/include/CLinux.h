#ifndef PHAROS_CLINUX_H
#define PHAROS_CLINUX_H

/* What the Glibc module lacks, and the socket calls whose signatures differ between feature macros. The public header
   includes no header but these, so that no other Clang module sees a different view of one. Functions that can fail
   return a negative errno. */
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>

/* The longest textual address with its terminator. */
#define PHAROS_ADDRESS_BYTES 46

/* Accepts one connection, non-blocking and close-on-exec. Returns the descriptor or -1 with errno set. */
int pharos_accept(int listener);

/* An event counter, non-blocking and close-on-exec. */
int pharos_eventfd(void);

/* Opens a TCP socket, non-blocking and close-on-exec. family is AF_INET or AF_INET6. */
int pharos_tcp_socket(int family);

/* Binds and listens on a numeric address. Port 0 lets the kernel choose. */
int pharos_listen(const char *address, uint16_t port, int share_port, int backlog);

/* Starts to connect to a numeric address. Returns the descriptor, on which the connection may still be in progress. */
int pharos_connect(const char *address, uint16_t port);

/* The pending error of a socket: 0 when it is connected, or a negative errno. */
int pharos_socket_error(int descriptor);

/* The local port, or a negative errno. */
int pharos_local_port(int descriptor);

/* Writes the peer's numeric address; IPv4 in its short form also on a dual-stack socket. */
int pharos_peer_address(int descriptor, char address[PHAROS_ADDRESS_BYTES]);

/* Turns Nagle's algorithm off. */
int pharos_no_delay(int descriptor);

/* 4 or 6 for a numeric address, 0 for anything else. */
int pharos_address_family(const char *text);

/* Looks a host name up, blocking. Writes up to limit addresses, each in
   PHAROS_ADDRESS_BYTES bytes, and returns their number, or a negative EAI_ code. */
int pharos_resolve(const char *host, char *addresses, int limit);

/* recv and send without signals. Return the number of bytes or a negative errno. */
ptrdiff_t pharos_receive(int descriptor, void *bytes, size_t count);
ptrdiff_t pharos_send(int descriptor, const void *bytes, size_t count);

/* Tells the peer that no more bytes follow. */
int pharos_shutdown_writing(int descriptor);

/* Makes the coming close a TCP reset instead of an orderly end. */
int pharos_reset_on_close(int descriptor);

/* Makes a write to a closed connection an error instead of a signal that ends the process. */
void pharos_ignore_broken_pipes(void);

/* A pointer that belongs to the calling thread. */
void *pharos_thread_context(void);
void pharos_set_thread_context(void *context);

/* Names the calling thread for debuggers; at most 15 bytes are kept. */
void pharos_name_thread(const char *name);

#endif
