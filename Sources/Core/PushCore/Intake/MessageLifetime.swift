import PushModel
import Timekeeping

/// When the last delivery of a message gives up: the longest life that it has on any platform.
enum MessageLifetime {
    static func expiry(of message: Message, acceptedAt: Timestamp) -> Timestamp {
        let android = message.android?.timeToLive ?? .longest
        let apple = acceptedAt.adding(seconds: ApplePushTranslator.defaultLifetimeSeconds)
        let given = message.apns?.headers.first { $0.key == "apns-expiration" }.flatMap { Int64($0.value) }
        let asked = given.map { min(Timestamp(seconds: $0), apple) } ?? apple
        return max(acceptedAt.adding(seconds: android.seconds), asked)
    }
}
