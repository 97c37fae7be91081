import APNsSimulator
import Crypto
import EventLoop
import HTTPServer
import JSON
import Timekeeping
import Transport

extension Command {
    /// `pharos apns-simulator`
    static let apnsSimulator = Command(
        "apns-simulator", "Runs the APNs simulator alone.",
        options: [
            .dataDirectory,
            .value("listen-apns", "HOST:PORT", "Where senders connect, TLS and HTTP/2.", default: "127.0.0.1:2197"),
            .value("listen-control", "HOST:PORT", "The control API, HTTP and JSON.", default: "127.0.0.1:2198"),
            .value("apns-log", "FILE", "Append each push as a line of JSON."),
            .value("key-file", "FILE", "A provider key to know, .p8. Further keys: the control API."),
            .value("key-id", "ID", "Its key id, 10 characters."),
            .value("team-id", "ID", "Its team id, 10 characters."),
            .value(
                "unknown-apns-tokens", "accept|refuse", "Whether device tokens that nobody registered are taken.",
                default: "refuse"),
            LogOption.option,
        ],
        discussion: "Prints one line of JSON when ready: the addresses and the CA that senders must trust."
    ) { (arguments) async throws(CommandFailure) in
        StopSignal.catchSignals()
        try await SimulatorRun(arguments).run()
    }
}

/// One run of the simulator.
private struct SimulatorRun {
    private let arguments: CommandArguments
    private let apns: ListenAddress
    private let control: ListenAddress?

    init(_ arguments: CommandArguments) throws(CommandFailure) {
        self.arguments = arguments
        guard let apns = try ListenOptions.address("listen-apns", in: arguments, allowsPublic: false) else {
            throw .usage("Without its listener the simulator does nothing.", nextStep: "Leave --listen-apns on.")
        }
        self.apns = apns
        control = try ListenOptions.address("listen-control", in: arguments, allowsPublic: false)
    }

    func run() async throws(CommandFailure) {
        let directory = try arguments.required("data-dir")
        try PrivateFile.makeDirectory(directory)
        let authority = try LocalAuthority(dataDirectory: directory, now: SystemClock().now())
        let key = try providerKey()
        do {
            let loops = try EventLoopGroup(count: 1)
            let simulator = try start(authority: authority, loops: loops)
            if let key { simulator.register(key) }
            let server = HTTPServer(loops: loops.loops, handler: APNsControlAPI(simulator))
            let controlPort = try control.map { address in
                var options = ListenerOptions()
                options.address = address.host
                options.port = address.port
                return try server.listen(options).port
            }
            printReadyLine(simulator, controlPort: controlPort, authority: authority)
            await ProgramEnd.wait()
            simulator.stop()
            await server.drain(deadline: .seconds(2))
            loops.shutDown()
        } catch {
            throw .failed(
                "The simulator cannot start: \(error).", nextStep: "Choose other addresses; port 0 takes a free one.")
        }
    }

    private func start(authority: LocalAuthority, loops: EventLoopGroup) throws -> APNsSimulator {
        var options = APNsSimulatorOptions(endpoints: [.init(address: apns.host, port: apns.port)])
        options.recordingPath = arguments.value("apns-log")
        options.rules.acceptsUnknownTokens = arguments.value("unknown-apns-tokens") == "accept"
        return try APNsSimulator.start(options, authority: authority.authority, loops: loops.loops)
    }

    private func printReadyLine(_ simulator: APNsSimulator, controlPort: UInt16?, authority: LocalAuthority) {
        let line: JSONObject = [
            "apns": .string(apns.text(port: simulator.port)),
            "control": control.flatMap { address in
                controlPort.map { .string("http://" + address.text(port: $0)) }
            } ?? .null,
            "ca": .string(PrivateFile.absolutePath(authority.certificatePath)),
        ]
        StandardStreams.printLine(String(decoding: line.encoded, as: UTF8.self))
    }

    private func providerKey() throws(CommandFailure) -> ProviderKey? {
        guard let path = arguments.value("key-file") else { return nil }
        do {
            let key = try P256PrivateKey(file: PrivateFile.read(path))
            return ProviderKey(
                id: try arguments.required("key-id"), teamID: try arguments.required("team-id"),
                publicKey: key.publicKey)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw .failed("\(path): \(error)", nextStep: "Give the .p8 file as Apple's site gave it.")
        }
    }
}
