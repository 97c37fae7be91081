/// Which methods the proxy takes over.
enum ProxyPlan {
    enum System: Sendable, Hashable, CaseIterable {
        /// Phones, tablets, televisions and headsets.
        case phone
        case mac, watch
    }

    /// Methods of the app delegate. They are added when the delegate has none of its own: APNs answers nobody else.
    static func appDelegateMethods(on system: System) -> [ProxiedMethod] {
        switch system {
        case .phone: [.registered, .failedToRegister, .receivedFetching]
        case .mac: [.registered, .failedToRegister, .received]
        case .watch: [.watchRegistered, .watchFailedToRegister, .watchReceivedFetching]
        }
    }

    /// Methods of the notification centre's delegate: never added, for a delegate without them leaves the message to the
    /// app delegate.
    static func notificationDelegateMethods(_ implements: (ProxiedMethod) -> Bool) -> [ProxiedMethod] {
        [.willPresent, .receivedResponse].filter(implements)
    }
}

/// Who gets a message that came with a fetch handler, once the SDK has seen it.
enum FetchForwarding: Sendable, Hashable {
    /// The app's own method, which answers the handler.
    case fetching
    /// The app's method without a handler. The system stops calling it once the one with a handler is there, and the
    /// proxy put that there: so the proxy calls it. Its app knows nothing of handlers, so the proxy answers for it.
    case plain
    case nobody

    init(implements: (ProxiedMethod) -> Bool) {
        self = implements(.receivedFetching) ? .fetching : implements(.received) ? .plain : .nobody
    }
}
