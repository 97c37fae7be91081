public import PushModel
public import Timekeeping

/// Gives devices their identity.
public struct DeviceCheckIn: Sendable {
    /// What a device says about itself at check-in.
    public enum Outcome: Sendable, Equatable {
        case admitted(DeviceCredentials)
        /// The device shows credentials that this service never gave out: it should start over.
        case unknown
    }

    private let store: any RegistrationStore
    private let clock: any WallClock
    private let sealing: Sealing

    public init(store: any RegistrationStore, clock: any WallClock, sealing: Sealing) {
        self.store = store
        self.clock = clock
        self.sealing = sealing
    }

    /// A repeated check-in keeps its pair; one without an id gets a new pair, usable at once.
    ///
    /// - Parameters:
    ///   - claimed: `nil` when the device has no id yet. An id without its secret does not count as one.
    ///   - locale: What it says of its language and time zone.
    public func checkIn(
        _ claimed: DeviceCredentials?, locale: DeviceLocale? = nil
    ) async throws(StoreError) -> Outcome {
        let now = clock.now()
        if let claimed {
            guard try await store.confirmDevice(claimed, at: now) else { return .unknown }
            try await note(locale, of: claimed)
            return .admitted(claimed)
        }
        let device = DeviceCredentials(androidID: freshID(), securityToken: freshID())
        try await store.addDevice(device, at: now)
        try await note(locale, of: device)
        return .admitted(device)
    }

    private func note(_ locale: DeviceLocale?, of device: DeviceCredentials) async throws(StoreError) {
        guard let locale, !locale.isEmpty else { return }
        try await store.noteLocale(locale, of: device.androidID)
    }

    /// 1…2⁶³−1: some clients keep the number in a signed integer, and none takes 0.
    private func freshID() -> UInt64 {
        max(1, sealing.randomInteger() >> 1)
    }
}
