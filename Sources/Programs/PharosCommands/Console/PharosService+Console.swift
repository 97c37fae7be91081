import Accounts
import ConsoleAPI
import Crypto
import GoogleAPI
import HTTPSemantics
import PushCore
import SQLiteStore
import Telemetry
import Timekeeping
import Transport

extension PharosService {
    /// The console: its API at `/console/v1/` and its pages at `/`.
    /// - Parameter atRoot: What answers at `/` instead, if it wants to.
    func consoleRouter(
        addresses: Addresses, atRoot: @escaping @Sendable (HTTPRequestHead) -> HTTPResponse?
    ) -> Router {
        let origins = ConsoleOrigins(names: consoleNames)
        let audit = AuditWriter(store: store, clock: SystemClock(), logger: logger.named("console"))
        let api = ConsoleAPI(
            accounts: accounts, directory: store, origins: origins, parts: consoleParts(addresses, audit),
            audit: audit, proxies: sealedSettings.value.trustedProxies)
        var router = api.router
        router.mount(ConsolePages(origins: origins, other: atRoot).router)
        return router
    }

    /// Every part of the console's API. Another part is added here.
    private func consoleParts(_ addresses: Addresses, _ audit: AuditWriter) -> [ConsolePart] {
        let address = PublicAddress(
            publicURL: sealedSettings.value.publicURL, httpsPort: addresses.httpsPort, deviceDoor: addresses.device)
        return [
            SessionEndpoints(accounts: accounts, directory: store, audit: audit).part,
            TokenEndpoints(accounts: accounts, clock: SystemClock()).part,
            UserEndpoints(accounts: accounts, directory: store).part,
            AuditEndpoints(store: store, directory: store).part,
            ServerEndpoints(
                version: PharosVersion.text, isEmulator: sealedSettings.value.isEmulator,
                startedAt: SystemClock().now(), doors: doors(addresses)
            ).part,
            ProjectEndpoints(store: store).part,
            AppEndpoints(store: store, address: address, webPushKeys: webPushKeys).part,
            APNsKeyEndpoints(store: store, check: credentialCheck, clock: SystemClock()).part,
            SenderEndpoints(store: store, address: address).part,
            CampaignEndpoints(campaigns: campaigns, devices: DeviceNames(store: store, tokens: tokens)).part,
            ReportEndpoints(store: store, clock: clock).part,
            MessageEndpoints(
                store: store, tokens: tokens, tail: tail, delays: LoopScheduler(loops: loops), clock: clock
            ).part,
            DeviceEndpoints(store: store, tokens: tokens, pipeline: pipeline).part,
            TopicEndpoints(store: store, tokens: tokens, clock: clock).part,
        ]
    }

    /// What `pharos doctor` does with a credential.
    private var credentialCheck: APNsKeyEndpoints.LiveCheck {
        let checks = CredentialChecks(
            store: store, gateway: gateway, clock: clock,
            asksAboutDemoProjects: sealedSettings.value.isEmulator)
        return { credential, project in
            await checks.findings(about: credential, of: project).map { finding in
                APNsKeyEndpoints.Finding(
                    title: finding.subject, isGood: finding.state == .good, message: finding.text,
                    nextStep: finding.nextStep)
            }
        }
    }

    private func doors(_ addresses: Addresses) -> ServerEndpoints.Doors {
        [
            ("http", addresses.http), ("https", addresses.https), ("mcs", addresses.device),
            ("xmpp", addresses.xmpp),
        ].compactMap { name, address in address.map { (name, $0) } }
    }

    /// The names that the settings give, and those of the certificate that they give.
    private var consoleNames: [String] {
        let settings = sealedSettings.value
        let pem = settings.tlsIdentity.map { String(decoding: $0.certificateChainPEM, as: UTF8.self) }
        let certificate = pem.flatMap { try? X509Certificate(pem: $0) }
        return settings.consoleHosts + (certificate?.dnsNames ?? [])
    }
}
