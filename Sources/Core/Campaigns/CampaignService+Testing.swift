public import PushCore
public import PushModel
import Timekeeping

/// What became of a test message to one device.
public struct CampaignTestResult: Sendable {
    /// As it was given.
    public var target: String
    public var outcome: Result<SendReceipt, SendError>
}

extension CampaignService {
    /// Sends the message to single devices at once. It counts for no campaign, and needs neither target nor schedule.
    ///
    /// - Parameter targets: Tokens or FIDs; white space around them does not count.
    public func test(
        _ content: CampaignContent, to targets: [String], in project: Project
    ) async throws(CampaignError) -> [CampaignTestResult] {
        guard (1...CampaignLimits.testTargets).contains(targets.count) else {
            throw .invalid([
                .init(
                    field: "targets",
                    description: "Give 1 to \(CampaignLimits.testTargets) registration tokens or installation ids.")
            ])
        }
        guard content.body != nil || content.title != nil else {
            throw .invalid([.init(field: "notification.body", description: "Give a text.")])
        }
        let now = clock.now()
        let due = Occurrence(at: now, local: ZoneRules.utc.local(now), audience: .everyone)
        let message = CampaignMessage(content, id: nil, due: due, now: now)
        return await withTaskGroup(of: (Int, CampaignTestResult).self) { group in
            for (place, target) in targets.enumerated() {
                group.addTask { (place, await send(message, to: target, in: project)) }
            }
            var results: [(Int, CampaignTestResult)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func send(
        _ message: CampaignMessage, to target: String, in project: Project
    ) async -> CampaignTestResult {
        let request = message.request(to: .token(target.trimmed), in: project.id)
        do throws(SendError) {
            return CampaignTestResult(target: target, outcome: .success(try await sending.send(request, in: project)))
        } catch {
            return CampaignTestResult(target: target, outcome: .failure(error))
        }
    }
}
