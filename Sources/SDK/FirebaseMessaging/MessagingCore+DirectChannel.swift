import FirebaseCore
import FirebasePlatform

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension MessagingCore {
    /// What moves the direct channel beside the app's own calls.
    func directChannelObservations() -> [Observation] {
        let registration = announcer.changes.add { [weak self] _ in self?.reviewDirectChannel() }
        let lifeCycle = platform.appState.observe { [weak self] _ in self?.reviewDirectChannel() }
        let checkIn = service.checkIns.changes.add { [weak self, weak directChannel] in
            directChannel?.handle(.checkInChanged)
            self?.nameDevice()
        }
        let network = platform.reachability?.observe { [weak directChannel] in directChannel?.handle(.reachable($0)) }
        return [registration, lifeCycle, checkIn] + [network].compactMap { $0 }
    }

    /// While the app leaves the channel to the SDK: it is up when the app is registered and in the foreground.
    private func reviewDirectChannel() {
        guard managesDirectChannel else { return }
        app.onMainNow { [weak self] in
            guard let self, managesDirectChannel else { return }
            let isRegistered = announcer.current?.isEmpty == false
            let isActive = platform.appState.current == .active
            directChannel.handle(isRegistered && isActive ? .want(nil) : .unwant)
        }
    }

    func setManagesDirectChannel(_ isManaged: Bool) {
        let isNew = changeManagesDirectChannel(isManaged)
        if isManaged { reviewDirectChannel() } else if isNew { directChannel.handle(.unwant) }
    }

    /// A message of the app to its server.
    func send(_ data: [AnyHashable: Any], to receiver: String, messageID: String, timeToLive: Int64) {
        do throws(MessagingError) {
            guard service.checkIns.stored() != nil else { throw .noDeviceID }
            let message = try UpstreamMessage(
                data, to: receiver, messageID: messageID, timeToLive: timeToLive,
                category: platform.appInfo.appBundleID, at: platform.clock.now(),
                ignored: { [app] key in
                    app.log.warning("I-FCM003000", "The value of \(key) is left out: it is neither text nor number.")
                })
            directChannel.handle(.send(message))
        } catch {
            directChannel.tell(messageID: messageID, error: error)
        }
    }
}
