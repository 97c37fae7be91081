import JSON
import Timekeeping

extension Command {
    /// `pharos dev`
    static let dev = Command(
        "dev", "Runs the emulator: the service, an APNs simulator and virtual iPhones in one process.",
        options: [
            .dataDirectory, ListenOptions.http, ListenOptions.https, ListenOptions.device, ListenOptions.xmpp,
            .value("listen-apns", "HOST:PORT", "The APNs simulator.", default: "127.0.0.1:2197"),
            .value(
                "listen-proxy", "HOST:PORT", "A proxy that stands in for Google's hosts; off leaves it out.",
                default: "127.0.0.1:9601"),
            .value(
                "project", "PROJECT_ID", "The project to have ready.", default: DemoProject.defaultID),
            .value("ready-file", "FILE", "Also write the ready line to this file."),
            .value("apns-log", "FILE", "Append each push that the simulator got as a line of JSON."),
            .value(
                "unknown-apns-tokens", "accept|refuse",
                "Whether APNs takes tokens that no virtual iPhone has.", default: "accept"),
            .value(
                "answer-patience-ms", "N", "How long a send to one device waits for APNs' answer.",
                default: "1000"),
            TopicChangeOption.option(default: 0),
            .flag("public", "Allow listeners that other machines reach."),
            LogOption.option,
        ],
        discussion: """
            Prints one line of JSON when ready: addresses, the project's ids and keys, and the files that apps and
            app servers take. Nothing leaves the machine. Ends with Ctrl-C.

            Then, for example:
              export HTTPS_PROXY=http://127.0.0.1:9601 REQUESTS_CA_BUNDLE=./pharos-data/ca.pem
              export GOOGLE_APPLICATION_CREDENTIALS=./pharos-data/service-account.json
            and firebase-admin works unchanged.
            """
    ) { (arguments) async throws(CommandFailure) in
        StopSignal.catchSignals()
        let emulator = try await Emulator(try emulatorOptions(arguments))
        let line = try emulator.start()
        if let file = arguments.value("ready-file") {
            try PrivateFile.write(line.encoded + [UInt8(ascii: "\n")], to: file, mode: 0o600)
        }
        StandardStreams.printLine(String(decoding: line.encoded, as: UTF8.self))
        await ProgramEnd.wait()
        await emulator.stop()
    }

    private static func emulatorOptions(_ arguments: CommandArguments) throws(CommandFailure) -> Emulator.Options {
        let allowsPublic = arguments.has("public")
        guard let apns = try ListenOptions.address("listen-apns", in: arguments, allowsPublic: false) else {
            throw .usage("The emulator needs its APNs simulator.", nextStep: "Leave --listen-apns off out.")
        }
        var options = Emulator.Options(
            dataDirectory: try arguments.required("data-dir"), projectID: try arguments.required("project"),
            listenHTTP: try ListenOptions.address("listen-http", in: arguments, allowsPublic: allowsPublic),
            listenHTTPS: try ListenOptions.address("listen-https", in: arguments, allowsPublic: allowsPublic),
            listenDevice: try ListenOptions.address("listen-device", in: arguments, allowsPublic: allowsPublic),
            listenXMPP: try ListenOptions.address("listen-xmpp", in: arguments, allowsPublic: allowsPublic),
            listenAPNs: apns,
            listenProxy: try ListenOptions.address("listen-proxy", in: arguments, allowsPublic: allowsPublic))
        guard options.listenHTTP != nil || options.listenHTTPS != nil else {
            throw .usage("Both HTTP listeners are off.", nextStep: "Leave one of --listen-http and --listen-https on.")
        }
        switch arguments.value("unknown-apns-tokens") {
        case "accept": options.takesUnknownAPNsTokens = true
        case "refuse": options.takesUnknownAPNsTokens = false
        default:
            throw .usage(
                "--unknown-apns-tokens must be accept or refuse.", nextStep: "See: pharos dev --help")
        }
        options.apnsLog = arguments.value("apns-log")
        options.answerPatienceMilliseconds = Int64(try arguments.integer("answer-patience-ms", in: 0...60_000) ?? 1000)
        options.topicChangesPerSecond = try TopicChangeOption.limit(arguments)
        options.logger = try LogOption.logger(arguments, clock: SystemClock())
        return options
    }
}

/// Waiting for the end without blocking the tasks of the program.
enum ProgramEnd {
    static func wait() async {
        await withCheckedContinuation { continuation in
            DetachedThread.run {
                StopSignal.wait()
                continuation.resume()
            }
        }
    }
}
