import APNsGateway
import HTTPSemantics
import PushCore
import Telemetry
import Timekeeping
import Transport
import WebPushGateway

extension Command {
    /// `pharos serve`
    static let serve = Command(
        "serve", "Runs the service in production on this machine.",
        options: [
            .dataDirectory, ListenOptions.http, ListenOptions.https, ListenOptions.device, ListenOptions.xmpp,
            ListenOptions.xmppTesting,
            .value("tls-cert", "FILE", "The certificate chain of the TLS listeners, PEM. Default: the local CA's."),
            .value("tls-key", "FILE", "Its private key, PEM."),
            .value("loops", "N", "Event loops, one per core.", default: "2"),
            .value(
                "answer-patience-ms", "N", "How long a send to one device waits for APNs' answer.",
                default: "1000"),
            .value(
                "messages-per-minute", "N", "What one project may send; 0 for no limit.", default: "600000"),
            TopicChangeOption.option(default: TopicLimits.changesPerSecond),
            .value(
                "apns-host", "HOST:PORT",
                "Where APNs is for both environments: a stand-in, or a relay. Default: Apple's servers."),
            .value("apns-ca", "FILE", "The CA of that stand-in, PEM. Default: the system's."),
            .value(
                "web-push-subject", "URI",
                "How push services of browsers reach you, mailto: or https:; some take no push without."),
            .value("topic-message-bytes", "N", "The largest topic message.", default: "2048"),
            .value(
                "console-host", "NAME", "A name under which the console answers, beside those of --tls-cert.",
                repeatable: true),
            .value(
                "trusted-proxy", "ADDRESS[/BITS]",
                "A proxy in front of the console, which says in X-Forwarded-For whose request it is.",
                repeatable: true),
            .value(
                "public-url", "URL",
                "Where apps and app servers reach this server, for the files that the console gives out."),
            .flag("public-metrics", "Let other machines read /metrics."),
            .flag(
                "library-records",
                "Leave the TLS records of device and XMPP connections to OpenSSL: 14 kB more for each connection."),
            LogOption.option,
        ],
        discussion: """
            Make a project first: pharos project create, then app create, service-account create and apns-key import.
            The listeners are on loopback unless told otherwise: put a public address in --listen-https, with a
            certificate that your devices and app servers trust. Ends gracefully with SIGTERM.
            """
    ) { (arguments) async throws(CommandFailure) in
        StopSignal.catchSignals()
        let service = try PharosService(try serviceSettings(arguments))
        try await FirstAdministrator.make(service.accounts)
        let addresses = try service.start(extra: nil)
        let mcs = addresses.device.map { "mcs://" + $0 }
        let xmpp = addresses.xmpp.map { "xmpp://" + $0 }
        service.logger.info(
            "ready",
            [
                "http": .init(addresses.http ?? "off"), "https": .init(addresses.https ?? "off"),
                "mcs": .init(mcs ?? "off"), "xmpp": .init(xmpp ?? "off"),
            ])
        let listeners = [addresses.http, addresses.https, mcs, xmpp].compactMap { $0 }
        StandardStreams.printLine("Ready: \(listeners.joined(separator: " "))")
        await ProgramEnd.wait()
        await service.stop()
    }

    private static func serviceSettings(_ arguments: CommandArguments) throws(CommandFailure) -> ServiceSettings {
        var settings = ServiceSettings(dataDirectory: try arguments.required("data-dir"))
        settings.listenHTTP = try ListenOptions.address("listen-http", in: arguments, allowsPublic: true)
        settings.listenHTTPS = try ListenOptions.address("listen-https", in: arguments, allowsPublic: true)
        settings.listenDevice = try ListenOptions.address("listen-device", in: arguments, allowsPublic: true)
        settings.listenXMPP = try ListenOptions.address("listen-xmpp", in: arguments, allowsPublic: true)
        settings.listenXMPPTesting = try ListenOptions.address(
            "listen-xmpp-testing", in: arguments, allowsPublic: true)
        settings.tlsIdentity = try tlsIdentity(arguments)
        settings.gateway = try gatewayConfiguration(arguments)
        settings.webPush.subject = try webPushSubject(arguments)
        settings.loopCount = try arguments.integer("loops", in: 1...256) ?? 2
        settings.answerPatienceMilliseconds = Int64(
            try arguments.integer("answer-patience-ms", in: 0...60_000) ?? 1000)
        let quota = try arguments.integer("messages-per-minute", in: 0...1_000_000_000) ?? 600_000
        settings.messagesPerMinute = quota == 0 ? nil : quota
        settings.topicChangesPerSecond = try TopicChangeOption.limit(arguments)
        settings.limits = MessageLimits(
            maximumTopicBytes: try arguments.integer("topic-message-bytes", in: 256...4096) ?? 2048)
        settings.consoleHosts = arguments.allValues("console-host")
        settings.trustedProxies = try trustedProxies(arguments)
        if arguments.value("public-url") != nil { settings.publicURL = try arguments.url("public-url") }
        settings.hasPublicMetrics = arguments.has("public-metrics")
        settings.handsOverRecords = !arguments.has("library-records")
        settings.logger = try LogOption.logger(arguments, clock: SystemClock())
        return settings
    }

    private static func trustedProxies(_ arguments: CommandArguments) throws(CommandFailure) -> TrustedProxies {
        guard let proxies = TrustedProxies(arguments.allValues("trusted-proxy")) else {
            throw .usage(
                "--trusted-proxy must be a numeric address, or a block of them.",
                nextStep: "For example: --trusted-proxy 127.0.0.1 --trusted-proxy 10.0.0.0/8")
        }
        return proxies
    }

    private static func webPushSubject(_ arguments: CommandArguments) throws(CommandFailure) -> String? {
        guard let subject = arguments.value("web-push-subject") else { return nil }
        guard subject.hasPrefix("mailto:") || subject.hasPrefix("https:") else {
            throw .usage(
                "--web-push-subject must be a mailto: or https: URI.",
                nextStep: "For example: --web-push-subject mailto:push@example.com")
        }
        return subject
    }

    private static func gatewayConfiguration(
        _ arguments: CommandArguments
    ) throws(CommandFailure) -> APNsGatewayConfiguration {
        guard let text = arguments.value("apns-host") else { return APNsGatewayConfiguration() }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw .usage("--apns-host must be HOST:PORT.", nextStep: "For example: --apns-host 127.0.0.1:2197")
        }
        var trust = TLSClientContext.Trust.system
        if let file = arguments.value("apns-ca") { trust = .authorities(pem: try PrivateFile.read(file)) }
        return APNsGatewayConfiguration(
            everythingAt: APNsEndpoint(host: String(text[..<colon]), port: port), trust: trust)
    }

    private static func tlsIdentity(_ arguments: CommandArguments) throws(CommandFailure) -> TLSIdentity? {
        switch (arguments.value("tls-cert"), arguments.value("tls-key")) {
        case (nil, nil): return nil
        case (let certificate?, let key?):
            return TLSIdentity(
                certificateChainPEM: try PrivateFile.read(certificate), privateKeyPEM: try PrivateFile.read(key))
        default:
            throw .usage("--tls-cert and --tls-key go together.", nextStep: "Give both, or neither for the local CA.")
        }
    }
}
