import FirebasePlatform

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The device's clock. Waiting goes on while the device sleeps.
package struct SystemClock: PlatformClock {
    package init() {}

    package func now() -> Date { Date() }

    package func sleep(seconds: Double) async throws(CancellationError) {
        do {
            try await Task.sleep(for: .seconds(max(0, seconds)), clock: .continuous)
        } catch {
            throw CancellationError()
        }
    }
}
