import PushCore
import PushModel
import SendAPI
import Synchronization
import Timekeeping

/// A project with one iPhone, and everything between the request and the platform: what APNs says is the test's.
struct SendWorld: Sendable {
    static let fid = "cSNFZ4mrze8BI0VniavN7w"
    static let project = Project(
        id: ProjectID("demo-kitchen")!, number: ProjectNumber(value: 123_456_789_012),
        displayName: "Kitchen", createdAt: Timestamp(seconds: 0))
    static let otherProject = Project(
        id: ProjectID("demo-garden")!, number: ProjectNumber(value: 210_987_654_321),
        displayName: "Garden", createdAt: Timestamp(seconds: 0))

    let clock = ManualClock(Timestamp(seconds: 1_800_000_000))
    let tokens = RegistrationTokenCodec(sealing: WeakSealing.make())
    let registrations = ListedRegistrations()
    let store = ListedDeliveries()
    let platform: ScriptedPlatform
    let faults = ListedFaults()
    let fanOuts = ListedFanOuts()
    let pipeline: SendPipeline

    /// - Parameters:
    ///   - outcome: What the platform makes of each delivery; `nil` when it has not answered yet.
    init(
        outcome: DeliveryOutcome? = .accepted(providerID: "a"), patienceMilliseconds: Int64 = 1000,
        messagesPerMinute: Int? = nil
    ) {
        platform = ScriptedPlatform(outcome: outcome)
        let clock = clock
        pipeline = SendPipeline(
            validator: MessageValidator(),
            resolver: RecipientResolver(lookup: RegistrationLookup(registrations: registrations, tokens: tokens)),
            translator: ApplePushTranslator(silentUrgency: .refuse), store: store, deliveries: platform,
            fanOuts: fanOuts,
            ids: MessageIDSource(clock: clock, after: MessageID(value: 0)), clock: clock, delays: ImmediateDelays(),
            observer: SilentObserver(),
            quota: messagesPerMinute.map { SendQuota(messagesPerMinute: $0, clock: clock) }, faults: faults,
            answerPatienceMilliseconds: patienceMilliseconds)
        addRegistrations()
    }

    private func addRegistrations() {
        add(1, fid: Self.fid, nonce: 7)
        add(2, fid: "dSNFZ4mrze8BI0VniavN7w", nonce: 7, ending: .deletedByApp)
        add(3, fid: "eSNFZ4mrze8BI0VniavN7w", nonce: 7, project: Self.otherProject)
    }

    private func add(
        _ id: Int64, fid: String, nonce: UInt64, project: Project = project, ending: Registration.Ending? = nil
    ) {
        let address = APNsDeviceToken(hex: String(repeating: "ab", count: 32)).map {
            APNsAddress(token: $0, environment: .sandbox)
        }
        registrations.add(
            Registration(
                id: RegistrationID(value: id), project: project.number, app: nil, fid: fid,
                bundleID: "com.example.kitchen", channel: .apple(address), isFIDMode: false, tokenNonce: nonce,
                androidID: 1, appVersion: "1", sdkVersion: "12", createdAt: clock.now(), confirmedAt: clock.now(),
                ending: ending))
    }

    func token(_ id: Int64, fid: String = fid, nonce: UInt64 = 7, project: Project = project) -> String {
        tokens.encode(
            RegistrationTokenContent(
                fid: fid, registration: RegistrationID(value: id), project: project.number, nonce: nonce))
    }

    /// The body with the names of the world's things in place of their marks.
    func filled(_ body: String) -> [UInt8] {
        let marks = [
            "{TOKEN}": token(1), "{OLD}": token(1, nonce: 6), "{DEAD}": token(2, fid: "dSNFZ4mrze8BI0VniavN7w"),
            "{OTHER}": token(3, fid: "eSNFZ4mrze8BI0VniavN7w", project: Self.otherProject), "{FID}": Self.fid,
        ]
        return Array(marks.reduce(body) { $0.replacing($1.key, with: $1.value) }.utf8)
    }

    /// Decodes and sends.
    func answer(to body: [UInt8]) async throws(SendRequestRefusal) -> SendReceipt {
        let request = try SendRequestDecoder().decode(body, project: Self.project.id)
        do {
            return try await pipeline.send(request, in: Self.project)
        } catch {
            throw .refused(error)
        }
    }
}
