import GoogleAPI
public import PushCore
public import PushModel
import Synchronization
import Timekeeping

/// Takes every delivery, or fails it as a test has scripted for its registration.
public final class ScriptedPlatform: DeliverySubmission {
    private let list = Mutex<[QueuedDelivery]>([])
    private let failures = Mutex<[RegistrationID: SendError]>([:])

    public var submitted: [QueuedDelivery] { list.withLock { $0 } }

    public func fail(_ registration: Registration, with error: SendError) {
        failures.withLock { $0[registration.id] = error }
    }

    public func hasRoomForFanOut(of project: ProjectNumber) -> Bool { true }

    public func submit(_ deliveries: [QueuedDelivery], firstOutcome observer: FirstOutcomeObserver?) {
        list.withLock { $0 += deliveries }
        for delivery in deliveries {
            let failure = failures.withLock { $0[delivery.recipient.id] }
            let outcome = failure.map { DeliveryOutcome.failed($0) } ?? .accepted(providerID: "id")
            _ = observer?(delivery, .finished(outcome))
        }
    }
}

/// Messages to topics and conditions, as they were accepted.
public final class RecordedFanOuts: FanOutSubmission {
    private let list = Mutex<[ValidatedMessage]>([])
    private let isDown = Mutex(false)

    public var submitted: [ValidatedMessage] { list.withLock { $0 } }

    public func breakDown() {
        isDown.withLock { $0 = true }
    }

    public func submit(_ message: ValidatedMessage) async throws(StoreError) {
        if isDown.withLock({ $0 }) { throw .unavailable("down") }
        list.withLock { $0.append(message) }
    }
}

/// Never does later things: every outcome is there at once.
struct NoDelays: DelayScheduler {
    func after(milliseconds: Int64, _ action: @escaping @Sendable () -> Void) {}
}

struct SilentObserver: DeliveryObserver {
    func accepted(_ message: ValidatedMessage, recipients: [Registration]) {}
    func translated(_ delivery: QueuedDelivery, into push: ApplePush) {}
    func answered(_ delivery: QueuedDelivery, _ answer: GatewayAnswer) {}
    func finished(_ delivery: QueuedDelivery, _ outcome: DeliveryOutcome) {}
}

/// Access tokens that say whose they are.
struct NamedCallers: AccessTokenVerifier {
    let project: ProjectNumber
    let otherProject: ProjectNumber

    func caller(presenting token: String) throws(AccessTokenError) -> Caller {
        switch token {
        case "kitchen": caller(project, .firebaseMessaging)
        case "kitchen-cloud": caller(project, .cloudPlatform)
        case "kitchen-others": caller(project, .others)
        case "garden": caller(otherProject, .firebaseMessaging)
        case "old": throw .expired
        default: throw .invalid
        }
    }

    private func caller(_ project: ProjectNumber, _ scopes: OAuthScopes) -> Caller {
        let account = ServiceAccount(
            serial: 1, email: "sender@example.com", project: project, keyID: "k", publicKey: [], isEnabled: true)
        return Caller(account: account, scopes: scopes)
    }
}
