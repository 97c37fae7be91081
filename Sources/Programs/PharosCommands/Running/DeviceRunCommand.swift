import DeviceSimulator
import EventLoop
import HTTPClient
import JSON
import Timekeeping
import Transport

extension Command {
    /// `pharos device run`
    static let deviceRun = Command(
        "device run", "Runs a virtual iPhone with the real SDK against a server; prints each event as a line of JSON.",
        options: [
            .dataDirectory,
            .value(
                "plist", "FILE", "The app's GoogleService-Info.plist. Default: that of the data directory."),
            .value(
                "simulator", "URL",
                "The control API of the APNs simulator. Default: that of the pharos dev which the plist names."),
            .value("mode", "classic|fid", "How the app registers.", default: "classic"),
            .value("name", "NAME", "The phone's name.", default: "iphone"),
            .value("topics", "NAMES", "Topics that the app subscribes to, separated by commas."),
            .value(
                "dismiss-categories", "NAMES",
                "Categories in which the app hears of notifications that are put away, separated by commas.",
                default: AppPackage.dismissibleCategory),
            .flag("direct-channel", "Let the SDK keep the direct channel up while the app is in the foreground."),
            .value("ca", "FILE", "The CA that the direct channel trusts. Default: ca.pem of the data directory."),
            .flag("background", "Leave the app in the background."),
        ],
        discussion: "Ends with Ctrl-C; the app instance is gone then, as with a lost phone."
    ) { (arguments) async throws(CommandFailure) in
        StopSignal.catchSignals()
        try await DeviceRun(arguments).run()
    }
}

/// One run of a virtual iPhone.
private struct DeviceRun {
    private let package: AppPackage
    private let simulatorURL: String
    private let name: String
    private let isForeground: Bool
    private let topics: [String]
    private let trust: TLSClientContext.Trust

    init(_ arguments: CommandArguments) throws(CommandFailure) {
        let usual = try arguments.required("data-dir") + "/GoogleService-Info.plist"
        let path = arguments.value("plist") ?? usual
        let plist = try PrivateFile.read(path)
        guard let mode = AppPackage.Mode(rawValue: arguments.value("mode") ?? "") else {
            throw .usage("--mode must be classic or fid.", nextStep: "See: pharos device run --help")
        }
        guard let file = ConfigurationFile(plist), !file.bundleID.isEmpty else {
            throw .failed(
                "\(path) is no configuration file with a BUNDLE_ID.", nextStep: "Make a new one: pharos app config.")
        }
        var package = AppPackage(bundleID: file.bundleID, mode: mode, configurationPlist: plist)
        package.opensDirectChannel = arguments.has("direct-channel")
        package.dismissCategories = Self.list(arguments.value("dismiss-categories"))
        self.package = package
        let directory = try arguments.required("data-dir")
        let authority = arguments.value("ca") ?? directory + "/ca.pem"
        trust = PrivateFile.exists(authority) ? .authorities(pem: try PrivateFile.read(authority)) : .system
        let emulator = file.serverURL.map { $0 + EmulatorRoutes.root + "/simulator" }
        guard let simulator = arguments.value("simulator") ?? emulator else {
            throw .usage(
                "The plist names no server, so there is no simulator to ask.",
                nextStep: "Give --simulator URL: the control address that pharos apns-simulator prints.")
        }
        simulatorURL = simulator
        name = try arguments.required("name")
        isForeground = !arguments.has("background")
        topics = Self.list(arguments.value("topics"))
    }

    private static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map(String.init)
    }

    func run() async throws(CommandFailure) {
        do {
            let loops = try EventLoopGroup(count: 1)
            var configuration = HTTPClientConfiguration()
            configuration.requestDeadline = .seconds(60)
            let client = try HTTPClient(configuration, loop: loops.next())
            let phone = VirtualIPhone(
                name: name, package: package,
                link: ControlLink(base: simulatorURL, device: name, client: client, loop: loops.next()),
                transport: HTTPTransport(client: client),
                byteStreams: try TLSByteStreams(trust: trust, loop: loops.next()), reachesInternet: true,
                clock: SystemClock(), loop: loops.next(),
                events: { StandardStreams.printLine($0.json.text) })
            try await phone.launch(foreground: isForeground)
            if !topics.isEmpty {
                _ = try await phone.identity(withinSeconds: 30)
                for topic in topics {
                    _ = try await phone.changeTopic(
                        TopicChange(topic: topic, subscribes: true), withinMilliseconds: 10_000)
                }
            }
            await ProgramEnd.wait()
            await phone.close()
            loops.shutDown()
        } catch {
            throw .failed(
                "The virtual iPhone cannot run: \(error).",
                nextStep: "Check that the server and the simulator run: pharos doctor.")
        }
    }
}
