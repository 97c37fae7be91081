import Bytes
import FirebasePlatform
import JSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The days on which the app was used and which have not been reported yet: at most 30, one per UTC day.
package struct Heartbeats: Sendable {
    private struct Ledger {
        var days: [(agent: String, day: String)] = []
        /// The newest day ever recorded, so that a day that was sent is not recorded again.
        var newest = ""
    }

    static let maximumDays = 30
    private static let suite = "com.google.heartbeat.storage"
    private let platform: Platform
    private let key: String

    init(platform: Platform, googleAppID: String) {
        self.platform = platform
        key = "heartbeats-\(googleAppID)"
    }

    /// Notes that the app is used today.
    package func record() {
        let today = UTCDay.text(platform.clock.now())
        var ledger = load()
        guard ledger.newest != today else { return }
        ledger.newest = today
        ledger.days.append((UserAgent.text(for: platform), today))
        ledger.days.removeFirst(max(0, ledger.days.count - Self.maximumDays))
        store(ledger)
    }

    /// Today's code for `X-firebase-client-log-type`: 2 for the first report of the day, 0 after that. Takes today's
    /// heartbeat out of the ledger.
    package func takeCodeForToday() -> Int {
        let today = UTCDay.text(platform.clock.now())
        var ledger = load()
        guard let index = ledger.days.lastIndex(where: { $0.day == today }) else { return 0 }
        ledger.days.remove(at: index)
        store(ledger)
        return 2
    }

    /// Every unreported day as the value of `X-firebase-client`: JSON, gzip, base64url. `nil` when there is none.
    package func takePayload() -> String? {
        var ledger = load()
        guard !ledger.days.isEmpty else { return nil }
        let json = Self.json(ledger.days)
        ledger.days = []
        store(ledger)
        return Base64URL.encode(Gzip.storing(json.encoded))
    }

    static func json(_ days: [(agent: String, day: String)]) -> JSONValue {
        var agents: [String] = []
        for day in days where !agents.contains(day.agent) { agents.append(day.agent) }
        let heartbeats = agents.map { agent -> JSONValue in
            ["agent": .string(agent), "dates": .array(days.filter { $0.agent == agent }.map { .string($0.day) })]
        }
        return ["version": 2, "heartbeats": .array(heartbeats)]
    }

    private func load() -> Ledger {
        guard let stored = platform.defaults.value(key, suite: Self.suite)?.dictionary else { return Ledger() }
        var ledger = Ledger()
        ledger.newest = stored["newest"]?.string ?? ""
        guard case .array(let days)? = stored["days"] else { return ledger }
        for case .dictionary(let entry) in days.suffix(Self.maximumDays) {
            guard let agent = entry["agent"]?.string, let day = entry["day"]?.string else { continue }
            ledger.days.append((agent, day))
        }
        return ledger
    }

    private func store(_ ledger: Ledger) {
        let days = ledger.days.map { PlistValue.dictionary(["agent": .string($0.agent), "day": .string($0.day)]) }
        platform.defaults.set(
            .dictionary(["newest": .string(ledger.newest), "days": .array(days)]), for: key, suite: Self.suite)
    }
}
