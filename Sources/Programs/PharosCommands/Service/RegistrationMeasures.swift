import PushCore
import Telemetry

/// What upkeep counts.
struct RegistrationMeasures: Sendable {
    private let expired, forgotten: Counter

    init(_ registry: MetricRegistry) {
        expired = registry.counter(
            "pharos_registrations_expired_total", "Registrations that were given up because their device was not seen.")
        forgotten = registry.counter(
            "pharos_registrations_forgotten_total", "Registrations that ended long ago and were deleted.")
    }

    func swept(_ step: RegistrationUpkeepStep) {
        expired.increment(by: UInt64(clamping: step.expired))
        forgotten.increment(by: UInt64(clamping: step.forgotten))
    }
}
