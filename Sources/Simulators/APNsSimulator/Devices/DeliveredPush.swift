public import Timekeeping

/// A push that reached its device.
public struct DeliveredPush: Sendable, Equatable {
    /// Place among all deliveries to this device, from 1.
    public var sequence: Int
    /// Place among all pushes that the service accepted, from 1.
    public var acceptSequence: Int
    public var acceptedAt: Timestamp
    public var deliveredAt: Timestamp
    public var deviceID: String
    public var bundleID: String
    /// The earlier delivery to the same app with the same collapse id, which this one replaces on the screen.
    public var replaces: Int?
    public var push: JudgedPush
}

/// What became of an accepted push.
public enum PushFate: Sendable, Equatable {
    case delivered(sequence: Int)
    /// In the app's only slot; the push with that `apns-id` had to go.
    case stored(overwritten: String?)
    /// A background push beyond its budget, kept until the hour is over.
    case held
    case discarded(DiscardReason)
}

/// Why an accepted push is never shown.
public enum DiscardReason: String, Sendable {
    /// No device has the token (`JudgeRules.acceptsUnknownTokens`).
    case unknownToken
    /// The app was removed a moment ago.
    case unregistered
    /// Its user switched notifications off.
    case disabled
    /// A background push for an app that its user ended by force.
    case forceQuit
    /// Not deliverable at once, and its sender forbade storing.
    case notStored
    case expired
    /// The slot's choice fell on the push that was there.
    case overwritten
}
