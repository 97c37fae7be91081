import APNsSimulator
import DeviceSimulator
import EventLoop
import HTTPClient
import JSON
import PushCore
import PushModel
import Synchronization
import Timekeeping

/// The virtual iPhones of the emulator.
final class PhoneRack: Sendable {
    /// Phones at a time.
    static let capacity = 2_000
    /// How long a phone may take to register. Unit: seconds.
    private static let registrationSeconds = 30

    private struct State {
        var phones: [String: VirtualIPhone] = [:]
        var order: [String] = []
        var nextNumber = 1
    }

    private let simulator: APNsSimulator
    private let client: HTTPClient
    private let byteStreams: TLSByteStreams
    private let clock: any WallClock
    private let loop: EventLoop
    private let journal: DeliveryJournal
    private let state = Mutex(State())

    init(
        simulator: APNsSimulator, client: HTTPClient, byteStreams: TLSByteStreams, clock: any WallClock,
        loop: EventLoop, journal: DeliveryJournal
    ) {
        self.simulator = simulator
        self.client = client
        self.byteStreams = byteStreams
        self.clock = clock
        self.loop = loop
        self.journal = journal
    }

    /// Starts phones and waits until each is registered.
    func start(
        count: Int, package: AppPackage, foreground: Bool
    ) async throws(VirtualIPhone.Failure) -> [(phone: VirtualIPhone, identity: VirtualIPhone.Identity)] {
        let phones = (0..<count).map { _ in makePhone(package) }
        for phone in phones { try await phone.launch(foreground: foreground) }
        var started: [(phone: VirtualIPhone, identity: VirtualIPhone.Identity)] = []
        for phone in phones {
            let identity = try await phone.identity(withinSeconds: Self.registrationSeconds)
            journal.plays(fid: identity.fid, true)
            if package.opensDirectChannel, foreground { try await waitForDirectChannel(of: phone) }
            started.append((phone, identity))
        }
        return started
    }

    private func waitForDirectChannel(of phone: VirtualIPhone) async throws(VirtualIPhone.Failure) {
        for _ in 0..<Self.registrationSeconds * 100 where !phone.isDirectChannelUp {
            await withCheckedContinuation { continuation in
                let isRunning = loop.execute { [loop] in
                    loop.schedule(after: .milliseconds(10)) { continuation.resume() }
                }
                if !isRunning { continuation.resume() }
            }
        }
        guard phone.isDirectChannelUp else { throw .notRegistered }
    }

    /// Starts the phone's app again, and waits for its registration if it was installed anew.
    func launch(_ phone: VirtualIPhone, foreground: Bool) async throws(VirtualIPhone.Failure) {
        try await phone.launch(foreground: foreground)
        guard phone.registered == nil else { return }
        journal.plays(fid: try await phone.identity(withinSeconds: Self.registrationSeconds).fid, true)
    }

    private func makePhone(_ package: AppPackage) -> VirtualIPhone {
        let name = state.withLock { state in
            defer { state.nextNumber += 1 }
            return "iphone-\(state.nextNumber)"
        }
        let listener = PhoneListener(journal: journal)
        let phone = VirtualIPhone(
            name: name, package: package, link: SimulatorLink(device: simulator.device(name), loop: loop),
            transport: HTTPTransport(client: client), byteStreams: byteStreams, clock: clock, loop: loop,
            events: listener.heard)
        listener.phone.set(WeakPhone(phone))
        state.withLock { state in
            state.phones[name] = phone
            state.order.append(name)
        }
        return phone
    }

    func phone(_ name: String) -> VirtualIPhone? { state.withLock { $0.phones[name] } }

    /// All phones, in the order of their start.
    var phones: [VirtualIPhone] { state.withLock { state in state.order.compactMap { state.phones[$0] } } }

    /// Takes a phone away. Its registration stays until APNs disowns the token, as with a lost phone.
    func remove(_ name: String) async -> Bool {
        let phone = state.withLock { state in
            state.order.removeAll { $0 == name }
            return state.phones.removeValue(forKey: name)
        }
        guard let phone else { return false }
        if let fid = phone.registeredFID { journal.plays(fid: fid, false) }
        await phone.close()
        return true
    }

    func removeAll() async {
        for phone in phones { _ = await remove(phone.name) }
    }

    /// The APNs token of whatever a caller calls the device: its name, FID, registration token or APNs token.
    func apnsToken(named text: String) -> String? {
        for phone in phones {
            guard let registered = phone.registered else { continue }
            let fid = phone.registeredFID
            if [phone.name, registered, fid, phone.apnsToken].contains(text) { return phone.apnsToken }
        }
        return nil
    }
}

/// A phone that may be gone.
struct WeakPhone: @unchecked Sendable {
    // What makes it Sendable: the reference is set once, and the runtime reads weak references atomically.
    private(set) weak var value: VirtualIPhone?

    init(_ value: VirtualIPhone) { self.value = value }
}

/// Brings what a phone tells into the journal.
private final class PhoneListener: Sendable {
    let phone = LateValue<WeakPhone>()
    private let journal: DeliveryJournal

    init(journal: DeliveryJournal) {
        self.journal = journal
    }

    /// An event names a message by its id, or a delivery on the direct channel by its persistent id.
    private static func messageID(_ text: String) -> MessageID? {
        guard PersistentID.delivery(text) != nil else { return MessageID(text) }
        return MessageID(text.dropFirst(2).prefix { $0 != "%" })
    }

    @Sendable func heard(_ event: DeviceEvent) {
        guard let fid = phone.value?.value?.registeredFID, let id = event.messageID.flatMap({ Self.messageID($0) })
        else { return }
        journal.deviceTold(fid: fid, messageID: id, event: event.json)
    }
}
