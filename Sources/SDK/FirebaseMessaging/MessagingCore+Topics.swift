import FirebaseCore
import FirebaseInstallations
import FirebasePlatform

extension MessagingCore {
    /// A topic call of the app. It needs a registration first; only an installation id unsubscribes without one.
    ///
    /// - Parameter answer: Told once. Without one, a call that lacks a registration for now waits for it in the queue,
    ///   since there is nobody to try again.
    func changeTopic(_ action: TopicAction, _ text: String, answer: TopicAnswer?) {
        guard let topic = TopicName(text) else {
            app.log.error(
                action == .subscribe ? "I-FCM002009" : "I-FCM002011",
                "The topic name is not valid: \(text.prefix(100))")
            answer?(MessagingError.wrongTopicName)
            return
        }
        if TopicName.hasPrefix(text) {
            app.log.warning("I-FCM002024", "Leave \(TopicName.prefix) out of \(text): the name alone is enough.")
        }
        topicCalls.enqueue { [self] in
            guard let error = await missingRegistration(for: action) else {
                return topics.add(action, topic, answer: answer)
            }
            app.log.error(
                action == .subscribe ? "I-FCM002010" : "I-FCM002012",
                "The topic call for \(topic.bare) lacks a registration: \(error)")
            if let answer {
                answer(isClosed ? MessagingError.topicOperationCancelled : error)
            } else if !isClosed, Self.mayCome(error) {
                topics.add(action, topic, answer: nil)
                if binding != nil { registerInBackground() }
            }
        }
    }

    /// What makes pending topic calls go on.
    func topicObservations() -> [Observation] {
        let changes = announcer.changes.add { [weak topics] _ in topics?.tryAgain() }
        let foreground = platform.appState.observe { [weak topics] event in
            if event == .didBecomeActive { topics?.tryAgain() }
        }
        let network = platform.reachability?.observe { [weak topics] isReachable in
            if isReachable { topics?.tryAgain() }
        }
        return [changes, foreground] + [network].compactMap { $0 }
    }

    private func missingRegistration(for action: TopicAction) async -> (any Error)? {
        if action == .unsubscribe, service.kind == .installationID { return nil }
        do {
            _ = try await service.registration(service.defaultKey, apns: binding)
            return nil
        } catch {
            return error
        }
    }

    /// Whether there may be a registration later without the app's doing.
    private static func mayCome(_ error: any Error) -> Bool {
        (error as? MessagingError)?.code == .missingDeviceToken || mayPass(error)
    }
}
