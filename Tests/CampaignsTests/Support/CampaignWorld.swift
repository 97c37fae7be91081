import JSON
import PushCore
import PushModel
import Synchronization
import Testing
import Timekeeping

@testable import Campaigns

/// A project with campaigns in memory and a way of messages that keeps them.
final class CampaignWorld: Sendable {
    let store = MemoryCampaigns()
    let sending = RecordedSending()
    let clock: VirtualClock
    let delays = HeldDelays()
    let runner: CampaignRunner
    let service: CampaignService
    let project = Rendered.project

    init(_ start: String = "2030-01-01T00:00:00Z") {
        clock = VirtualClock(base: ManualClock(time(start)))
        runner = CampaignRunner(
            store: store, directory: OneProject(), sending: sending, zones: TestZones(), delays: delays, clock: clock)
        service = CampaignService(
            store: store, sending: sending, zones: TestZones(), clock: clock, validator: MessageValidator(),
            changed: { [runner] in runner.wake() })
    }

    func published(_ schedule: String, target: String = #"{"topic":"news"}"#) async throws -> Campaign {
        let content = try Campaign.composed(
            #"{"name":"n","notification":{"body":"b"},"target":\#(target),"schedule":\#(schedule)}"#)
        let draft = try await service.create(content, by: "ann", in: project.number)
        return try await service.publish(draft.id, in: project)
    }

    /// Moves the clock and waits until everything that is due has been done.
    func advance(_ seconds: Int64) async throws {
        clock.advance(seconds: seconds)
        try await settle()
    }

    func settle() async throws {
        while true {
            let due = try store.dueCampaigns(at: clock.now(), limit: 1)
            if due.isEmpty, runner.isIdle { return }
            await Task.yield()
        }
    }

    func campaign(_ id: CampaignID) throws -> Campaign { try service.campaign(id, in: project.number) }
}

struct OneProject: ProjectDirectory {
    func project(id: ProjectID) -> Project? { Rendered.project }
    func project(number: ProjectNumber) -> Project? { number == Rendered.project.number ? Rendered.project : nil }
    func app(id: AppID) -> App? { nil }
    func app(apiKey: String) -> App? { nil }
    func apps(of project: ProjectNumber) -> [App] { [] }
    func serviceAccounts(email: String) -> [ServiceAccount] { [] }
    func serviceAccount(serial: Int64) -> ServiceAccount? { nil }
    func project(serverKeyHash hash: [UInt8]) -> Project? { nil }
    func apnsCredentials(of project: ProjectNumber) -> [APNsCredential] { [] }
}

/// Timers that never fire: tests move the clock.
final class HeldDelays: DelayScheduler {
    let asked = Mutex<[Int64]>([])

    func after(milliseconds: Int64, _ action: @escaping @Sendable () -> Void) {
        asked.withLock { $0.append(milliseconds) }
    }
}

final class RecordedSending: CampaignSending {
    struct State {
        var begun: [ValidatedMessage] = []
        var sent: [SendRequest] = []
        var refusal: SendError?
        var dead: Set<String> = []
        var next: Int64 = 1
    }

    let state = Mutex(State())

    func prepare(_ request: SendRequest, in project: Project) throws(SendError) -> ValidatedMessage {
        let (refusal, id) = state.withLock { state in
            state.next += 1
            return (state.refusal, state.next)
        }
        if let refusal { throw refusal }
        return ValidatedMessage(
            id: MessageID(value: id), project: project, target: request.target, message: request.message,
            acceptedAt: time("2030-01-01T00:00:00Z"), expiresAt: time("2030-01-02T00:00:00Z"))
    }

    func giveUp(_ message: ValidatedMessage) {}

    func begin(_ message: ValidatedMessage) { state.withLock { $0.begun.append(message) } }

    func send(_ request: SendRequest, in project: Project) async throws(SendError) -> SendReceipt {
        guard case .token(let text) = request.target else { throw .recipientMissing }
        let isDead = state.withLock { state in
            state.sent.append(request)
            return state.dead.contains(text)
        }
        if isDead { throw .unregistered }
        return SendReceipt(id: MessageID(value: 5), recipientCount: 1)
    }

    func registration(named text: String, in project: ProjectNumber) throws(SendError) -> Registration {
        if state.withLock({ $0.dead.contains(text) }) { throw .unregistered }
        return Registration(
            id: RegistrationID(value: 9), project: project, app: nil, fid: "f", bundleID: "b", channel: .device,
            isFIDMode: false, tokenNonce: 0, androidID: 0, appVersion: "", sdkVersion: "",
            createdAt: time("2030-01-01T00:00:00Z"), confirmedAt: time("2030-01-01T00:00:00Z"))
    }
}

final class MemoryCampaigns: CampaignStore, AudienceStore {
    struct State {
        var campaigns: [CampaignID: Campaign] = [:]
        var runs: [CampaignID: [CampaignRun]] = [:]
        var failures = 0
    }

    let state = Mutex(State())

    func addCampaign(_ campaign: Campaign) async throws(StoreError) -> Campaign {
        state.withLock { state in
            var campaign = campaign
            campaign.id = CampaignID(value: Int64(state.campaigns.count + 1))
            state.campaigns[campaign.id] = campaign
            return campaign
        }
    }

    func campaign(_ id: CampaignID, in project: ProjectNumber) throws(StoreError) -> Campaign? {
        state.withLock { $0.campaigns[id] }
    }

    func campaigns(
        of project: ProjectNumber, in wanted: Campaign.State?, before id: CampaignID?, limit: Int
    ) throws(StoreError) -> [Campaign] {
        state.withLock { $0.campaigns.values.filter { wanted == nil || $0.state == wanted } }
    }

    func replaceCampaign(_ campaign: Campaign) async throws(StoreError) -> Campaign? {
        state.withLock { Self.replace(campaign, in: &$0) }
    }

    private static func replace(_ campaign: Campaign, in state: inout State) -> Campaign? {
        guard state.campaigns[campaign.id]?.version == campaign.version else { return nil }
        var campaign = campaign
        campaign.version += 1
        state.campaigns[campaign.id] = campaign
        return campaign
    }

    func deleteCampaign(_ id: CampaignID, in project: ProjectNumber) async throws(StoreError) -> Bool {
        state.withLock { $0.campaigns.removeValue(forKey: id) != nil }
    }

    func dueCampaigns(at time: Timestamp, limit: Int) throws(StoreError) -> [Campaign] {
        state.withLock { state in
            state.campaigns.values.filter { campaign in
                campaign.isActive && campaign.next.map { $0.at <= time } ?? false
            }
        }
    }

    func nextCampaignDue() throws(StoreError) -> Timestamp? {
        state.withLock { $0.campaigns.values.filter(\.isActive).compactMap(\.next?.at).min() }
    }

    func acceptRun(
        _ run: CampaignRun, of campaign: Campaign, sending message: ValidatedMessage?
    ) async throws(StoreError) -> Bool {
        let isAccepted = state.withLock { state -> Bool? in
            if state.failures > 0 {
                state.failures -= 1
                return nil
            }
            guard Self.replace(campaign, in: &state) != nil else { return false }
            state.runs[campaign.id, default: []].append(run)
            return true
        }
        guard let isAccepted else { throw .unavailable("scripted") }
        return isAccepted
    }

    func runs(of id: CampaignID, before number: Int64?, limit: Int) throws(StoreError) -> [CampaignRun] {
        state.withLock { $0.runs[id] ?? [] }
    }

    func counts(of id: CampaignID) throws(StoreError) -> CampaignCounts { CampaignCounts() }

    func audience(of segment: Segment, in project: ProjectNumber) throws(StoreError) -> Audience {
        Audience(devices: 1, registrations: 2, isExact: true)
    }

    func timeZones(of project: ProjectNumber) throws(StoreError) -> [String] { ["Asia/Kolkata"] }
    func memberCount(of topic: TopicName, in project: ProjectNumber) throws(StoreError) -> Int { 3 }
    func properties(of registration: Registration) throws(StoreError) -> [String: String] { [:] }
    func setProperties(_ changes: [String: String?], of registration: Registration) async throws(StoreError) {}
}
