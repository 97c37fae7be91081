import EventLoop

extension Connection {
    /// Turns an open plain connection into a TLS client; `opened` is reported again when the handshake is done.
    ///
    /// For proxies: call it after the proxy's answer, when everything read so far was consumed.
    public func startTLS(_ context: TLSClientContext, serverName: String) {
        guard isOpen, engine == nil, outgoing.isEmpty else { return terminate(.tlsFailed(detail: "not ready for TLS")) }
        beginHandshake(context.makeEngine(descriptor: descriptor, serverName: serverName))
    }

    /// Starts the handshake outside of the running call.
    func beginHandshake(_ engine: (any TLSEngine)?) {
        guard let engine else { return terminate(.tlsFailed(detail: "no TLS object")) }
        self.engine = engine
        state = .handshaking
        if deadlineTimer == nil { armHandshakeDeadline() }
        loop.executeLater { [self] in
            if case .handshaking = state { advanceHandshake() }
        }
    }

    func armHandshakeDeadline() {
        deadlineTimer = loop.schedule(after: limits.handshakeDeadline) { [unowned self] in terminate(.timedOut) }
    }

    func advanceHandshake() {
        guard let engine else { return }
        switch engine.handshake() {
        case .waiting: break
        case .failed(let reason): terminate(reason)
        case .done:
            security = engine.security
            acceptance?.handshakeEnded(self)
            open()
            readAvailable()
        }
    }
}
