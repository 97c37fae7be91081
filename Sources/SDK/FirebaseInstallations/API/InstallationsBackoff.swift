#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// When the next request may go out after failures. Kept in memory only.
package struct InstallationsBackoff: Sendable, Hashable {
    package enum Failure: Sendable, Hashable {
        /// 400, 403: the next try can only succeed after somebody changed the configuration.
        case configuration
        /// 429, 5xx and whatever else.
        case recoverable
    }

    package static let configurationSeconds = 86400.0
    package static let maximumSeconds = 1800.0

    private var failures = 0
    private var latest: Failure?
    package private(set) var nextAllowed: Date?

    package init() {}

    package func allowsRequest(at now: Date) -> Bool {
        nextAllowed.map { now >= $0 } ?? true
    }

    package mutating func succeeded() {
        self = InstallationsBackoff()
    }

    /// - Parameter jitterMilliseconds: 0 to 999.
    package mutating func failed(_ failure: Failure, at now: Date, jitterMilliseconds: UInt32) {
        failures = latest == failure ? min(failures + 1, 32) : 1
        latest = failure
        let delay =
            switch failure {
            case .configuration: Self.configurationSeconds
            case .recoverable:
                min(Double(UInt64(1) << UInt64(failures)) + Double(jitterMilliseconds) / 1000, Self.maximumSeconds)
            }
        nextAllowed = now + delay
    }
}
