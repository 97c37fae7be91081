package import FirebasePlatform
import Synchronization

/// One configured app: its name, its options, and the products that work for it.
public final class FirebaseApp: Sendable {
    public let name: String
    package let optionsValues: OptionsValues
    package let endpoints: Endpoints
    private let weakContainer: WeakContainer
    /// The device this app runs on.
    package let platform: Platform
    package let log: FirebaseLog
    private let components = Mutex<[ObjectIdentifier: any FirebaseComponent]>([:])
    private let becomingActive = Mutex<Observation?>(nil)

    static let defaultName = "__FIRAPP_DEFAULT"

    init(name: String, options: OptionsValues, endpoints: Endpoints, container: FirebaseContainer) {
        self.name = name
        self.optionsValues = options
        self.endpoints = endpoints
        self.weakContainer = WeakContainer(container)
        self.platform = container.platform
        self.log = container.log
    }

    /// A copy: changing it changes no app.
    public var options: FirebaseOptions { FirebaseOptions(values: optionsValues) }

    package var isDefault: Bool { name == Self.defaultName }

    package var container: FirebaseContainer? { weakContainer.value }

    static func isValidName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    func start() {
        checkValues()
        recordHeartbeat()
        let observation = platform.appState.observe { [weak self] event in
            if event == .didBecomeActive { self?.recordHeartbeat() }
        }
        becomingActive.withLock { $0 = observation }
        for component in LinkedComponents.all { component.appConfigured(self) }
    }

    private func checkValues() {
        if let id = AppID(optionsValues.googleAppID), id.version != "1" {
            log.info("I-COR000014", "GOOGLE_APP_ID has version \(id.version), newer than this SDK knows.")
        }
        let bundleID = platform.appInfo.bundleID
        if !optionsValues.bundleID.isEmpty, optionsValues.bundleID != bundleID {
            log.error(
                "I-COR000008",
                "The bundle ID of the configuration, \(optionsValues.bundleID), is not the app's, \(bundleID).")
        }
    }

    private func recordHeartbeat() {
        guard isDataCollectionDefaultEnabled else { return }
        heartbeats.record()
    }

    package var heartbeats: Heartbeats {
        Heartbeats(platform: platform, googleAppID: optionsValues.googleAppID)
    }

    func end() {
        becomingActive.withLock { $0.take() }?.cancel()
        let components = components.withLock { components in
            defer { components = [:] }
            return Array(components.values)
        }
        for component in components { component.appDeleted() }
    }
}

extension FirebaseApp {
    /// The product of that kind that works for this app, made on first use.
    package func component<Component: FirebaseComponent>(_ type: Component.Type) -> Component {
        let key = ObjectIdentifier(type)
        if let existing = components.withLock({ $0[key] }) as? Component { return existing }
        let made = Component(app: self)
        let kept = components.withLock { components in
            if let first = components[key] { return first }
            components[key] = made
            return made
        }
        return kept as? Component ?? made
    }

    /// Runs app code on the main executor, inside this app's container.
    package func onMain(_ work: @escaping @Sendable () -> Void) {
        platform.executors.main.enqueue { [weakContainer] in
            weakContainer.run(work)
        }
    }

    /// As `onMain`, but at once when the caller already is there.
    package func onMainNow(_ work: @escaping @Sendable () -> Void) {
        guard platform.executors.main.isCurrent else { return onMain(work) }
        weakContainer.run(work)
    }
}

extension FirebaseApp {
    /// Ends this app: its products stop, and its name is free again. The completion is told at once, on the caller's
    /// thread, whether it was there.
    public func delete(_ completion: @escaping (Bool) -> Void) {
        completion(deleteNow())
    }

    @discardableResult
    public func delete() async -> Bool {
        deleteNow()
    }

    private func deleteNow() -> Bool {
        let removed = container?.remove(self) ?? false
        if removed { end() }
        return removed
    }

    /// Whether products may collect data before the app says so. Kept across launches once set.
    ///
    /// Precedence: what was set here, then Info.plist `FirebaseDataCollectionDefaultEnabled`, then true.
    public var isDataCollectionDefaultEnabled: Bool {
        get {
            platform.defaults.value(dataCollectionKey)?.flag
                ?? platform.appInfo.infoValue("FirebaseDataCollectionDefaultEnabled")?.lenientFlag
                ?? true
        }
        set { platform.defaults.set(.bool(newValue), for: dataCollectionKey) }
    }

    private var dataCollectionKey: String { "/google/firebase/global_data_collection_enabled:\(name)" }
}

/// An app does not keep its container alive: the container holds the app.
private struct WeakContainer: Sendable {
    weak let value: FirebaseContainer?

    init(_ value: FirebaseContainer) { self.value = value }

    func run(_ work: () -> Void) {
        guard let value else { return work() }
        value.run(work)
    }
}
