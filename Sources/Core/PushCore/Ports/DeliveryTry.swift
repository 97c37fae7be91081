public import PushModel
public import Timekeeping

/// An answer of a platform's service that asked for another try.
public struct DeliveryTry: Sendable, Equatable {
    public var delivery: DeliveryID
    public var project: ProjectNumber
    public var time: Timestamp
    /// HTTP status; 0 when there was no answer.
    public var status: Int
    public var reason: String

    public init(delivery: DeliveryID, project: ProjectNumber, time: Timestamp, status: Int, reason: String) {
        self.delivery = delivery
        self.project = project
        self.time = time
        self.status = status
        self.reason = reason
    }
}
