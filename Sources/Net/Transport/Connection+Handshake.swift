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
    func beginHandshake(_ handshake: OpenSSLEngine?) {
        guard let handshake else { return terminate(.tlsFailed(detail: "no TLS object")) }
        state = .handshaking(handshake)
        if deadlineTimer == nil { armHandshakeDeadline() }
        loop.executeLater { [self] in
            if case .handshaking(let handshake) = state { advance(handshake) }
        }
    }

    func armHandshakeDeadline() {
        deadlineTimer = loop.schedule(after: limits.handshakeDeadline) { [unowned self] in terminate(.timedOut) }
    }

    func advance(_ handshake: OpenSSLEngine) {
        switch handshake.handshake() {
        case .waiting: break
        case .failed(let reason): terminate(reason)
        case .done(let security, let engine):
            sharedSecurity = acceptance?.shared(security) ?? Shared(security)
            self.engine = engine
            acceptance?.handshakeEnded(self)
            open()
            readAvailable()
        }
    }
}
