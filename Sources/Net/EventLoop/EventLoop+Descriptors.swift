import CLinux
import Glibc

extension EventLoop {
    /// Watches a descriptor in both directions, edge-triggered, until `deregister`. On the loop's thread only.
    ///
    /// - Throws: When the kernel refuses, for instance because the descriptor is a regular file.
    public func register(_ descriptor: Int32, handler: any DescriptorHandler) throws(EventLoopError) {
        try add(descriptor, EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue, handler)
    }

    /// Watches a descriptor for input only: a listening socket, an event counter. On the loop's thread only.
    public func registerReader(_ descriptor: Int32, handler: any DescriptorHandler) throws(EventLoopError) {
        try add(descriptor, EPOLLIN.rawValue, handler)
    }

    /// Stops watching. Call it before the descriptor is closed; events already reported by the kernel are dropped.
    public func deregister(_ descriptor: Int32) {
        checkThread()
        descriptors.remove(descriptor)
        var unused = epoll_event()
        epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &unused)
    }

    private func add(_ descriptor: Int32, _ interest: UInt32, _ handler: any DescriptorHandler) throws(EventLoopError) {
        checkThread()
        guard !isStopping else { throw .stopping }
        let mark = descriptors.insert(handler, for: descriptor)
        var event = epoll_event(events: interest | EPOLLET.rawValue, data: epoll_data(u64: mark))
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            let code = errno
            descriptors.remove(descriptor)
            throw .system(call: "epoll_ctl", code: code)
        }
    }
}
