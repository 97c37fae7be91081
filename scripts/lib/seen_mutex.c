// Lets the thread sanitizer see the locks of Swift's Synchronization.Mutex on Linux. Preloaded by scripts/races.
//
// A Mutex that nobody else holds is taken with an atomic operation in the program itself, which the sanitizer sees. One
// that is held is taken by the kernel, through two functions of libswiftSynchronization.so, which is built without the
// sanitizer: so it reports a race wherever two threads met at a Mutex. These stand before those two, do the same through
// them, and say that the lock's word was acquired or released.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Of the sanitizer; missing in programs without it.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

SWIFT void lock_slow(uint32_t thread, SELF void *word) __asm__(LOCK);
SWIFT void unlock_slow(SELF void *word) __asm__(UNLOCK);

static void *original(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

SWIFT void lock_slow(uint32_t thread, SELF void *word) {
    static SWIFT void (*next)(uint32_t, SELF void *);
    if (!next) next = original(LOCK);
    next(thread, word);
    if (__tsan_acquire) __tsan_acquire(word);
}

SWIFT void unlock_slow(SELF void *word) {
    static SWIFT void (*next)(SELF void *);
    if (!next) next = original(UNLOCK);
    if (__tsan_release) __tsan_release(word);
    next(word);
}
