import FirebaseCore

extension Messaging {
    /// Subscribes the app to a topic, without saying how that went. Before there is a registration the call waits for
    /// one; without network it waits for that, across launches of the app too.
    ///
    /// - Parameter topic: 1 to 900 of the characters `a-z A-Z 0-9 - _ . ~ %`.
    public func subscribe(toTopic topic: String) {
        core?.changeTopic(.subscribe, topic, answer: nil)
    }

    /// Subscribes the app to a topic.
    ///
    /// - Parameters:
    ///   - topic: 1 to 900 of the characters `a-z A-Z 0-9 - _ . ~ %`.
    ///   - completion: Called on main once the server has answered: without network that is when it is back. Before the
    ///     APNs device token is there it is called with error 505, and the app calls again later.
    public func subscribe(toTopic topic: String, completion: (((any Error)?) -> Void)?) {
        changeTopic(.subscribe, topic, completion: completion)
    }

    public func subscribe(toTopic topic: String) async throws {
        try await changeTopic(.subscribe, topic)
    }

    /// Ends the subscription of the app to a topic, without saying how that went. Waits as `subscribe(toTopic:)` does.
    public func unsubscribe(fromTopic topic: String) {
        core?.changeTopic(.unsubscribe, topic, answer: nil)
    }

    /// Ends the subscription of the app to a topic.
    public func unsubscribe(fromTopic topic: String, completion: (((any Error)?) -> Void)?) {
        changeTopic(.unsubscribe, topic, completion: completion)
    }

    public func unsubscribe(fromTopic topic: String) async throws {
        try await changeTopic(.unsubscribe, topic)
    }
}

extension Messaging {
    private func changeTopic(_ action: TopicAction, _ topic: String, completion: (((any Error)?) -> Void)?) {
        guard let core else {
            completion?(failure)
            return
        }
        guard let completion else { return core.changeTopic(action, topic, answer: nil) }
        let callback = MainCallback(completion)
        core.changeTopic(action, topic) { [self] error in
            onMain { callback(error) }
        }
    }

    private func changeTopic(_ action: TopicAction, _ topic: String) async throws {
        guard let core else { throw failure }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            core.changeTopic(action, topic) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }
}
