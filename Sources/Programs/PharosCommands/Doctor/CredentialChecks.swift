import APNsGateway
import Crypto
import EventLoop
import PushCore
import PushModel
import SQLiteStore
import Timekeeping

/// Whether APNs takes the projects' keys: asks it about a device token that cannot exist.
struct CredentialChecks {
    private static let impossibleToken = String(repeating: "00", count: 32)

    let store: SQLiteStore
    let gateway: APNsGateway
    let clock: any WallClock
    /// Whether the gateway leads to a simulator, which may be asked about demo projects as well.
    var asksAboutDemoProjects = false

    /// The findings for every project. Demo projects never leave the machine, so APNs is not asked about theirs.
    func findings() async throws(StoreError) -> [Finding] {
        var findings: [Finding] = []
        for project in try store.projects() {
            let credentials = store.apnsCredentials(of: project.number)
            if credentials.isEmpty {
                findings.append(
                    Finding(
                        subject: "APNs key of \(project.id)", state: .doubtful, text: "There is none.",
                        nextStep: "Import it: pharos apns-key import --project \(project.id)."))
            }
            for credential in credentials { findings += await self.findings(about: credential, of: project) }
        }
        return findings
    }

    /// The findings for one credential.
    func findings(about credential: APNsCredential, of project: Project) async -> [Finding] {
        if let broken = damage(of: credential, project: project) { return [broken] }
        guard !project.id.isDemo || asksAboutDemoProjects else {
            return [.good("APNs key of \(project.id)", "readable; demo projects ask no one")]
        }
        return await answers(to: credential, of: project)
    }

    private func damage(of credential: APNsCredential, project: Project) -> Finding? {
        let problem: String
        switch credential.kind {
        case .signingKey(let pem, _, _):
            do {
                _ = try P256PrivateKey(pem: pem)
                return nil
            } catch {
                problem = "\(error)"
            }
        case .certificate(let chain, let key):
            do {
                let identity = try CertifiedKey(certificatePEM: chain, keyPEM: key)
                guard let leaf = identity.chain.first, !leaf.isValid(at: clock.now()) else { return nil }
                problem = "The certificate is not valid today."
            } catch {
                problem = "\(error)"
            }
        }
        return Finding(
            subject: "APNs key of \(project.id)", state: .bad, text: problem,
            nextStep: "Import a good one: pharos apns-key import --project \(project.id).")
    }

    private func answers(to credential: APNsCredential, of project: Project) async -> [Finding] {
        var findings: [Finding] = []
        let bundleID = credential.bundleIDs.sorted().first ?? appleBundleID(of: project)
        for environment in credential.environments.sorted(by: { $0.rawValue < $1.rawValue }) {
            let answer = await ask(environment, project: project, bundleID: bundleID)
            findings.append(judge(answer, subject: "APNs \(environment.rawValue) for \(project.id)"))
        }
        return findings
    }

    private func appleBundleID(of project: Project) -> String {
        store.apps(of: project.number).first { $0.id.platform == .ios }?.bundleID ?? "com.example.unknown"
    }

    private func ask(_ environment: APNsEnvironment, project: Project, bundleID: String) async -> GatewayAnswer {
        let push = ApplePush(
            pathToken: Self.impossibleToken, environment: environment,
            headers: [
                .init(key: "apns-topic", value: bundleID), .init(key: "apns-push-type", value: "alert"),
                .init(key: "apns-priority", value: "10"), .init(key: "apns-expiration", value: "0"),
            ],
            payload: Array(#"{"aps":{}}"#.utf8), expiresAt: clock.now().adding(seconds: 20))
        return await withCheckedContinuation { continuation in
            gateway.send(push, from: project.number, bundleID: bundleID) { continuation.resume(returning: $0) }
        }
    }

    private func judge(_ answer: GatewayAnswer, subject: String) -> Finding {
        let error: SendError
        switch answer {
        case .accepted: return .good(subject, "APNs took a push")
        case .unregistered: return .good(subject, "the key is accepted")
        case .rejected(let refusal), .retry(_, let refusal): error = refusal
        }
        switch (error.kind, error.apns?.reason) {
        case (_, "BadDeviceToken"?), (_, "DeviceTokenNotForTopic"?):
            return .good(subject, "reachable, and the key is accepted")
        case (.thirdPartyAuthentication, let reason):
            return Finding(
                subject: subject, state: .bad, text: "APNs refuses the key: \(reason ?? error.message).",
                nextStep: "Check key id, team id and environment, and import the key again.")
        case (_, let reason?):
            return Finding(
                subject: subject, state: .doubtful, text: "APNs answers \(reason).",
                nextStep: "Check that the key may send to the app's bundle id.")
        default:
            return Finding(
                subject: subject, state: .bad, text: error.message,
                nextStep: "Open port 443 to api.push.apple.com and api.sandbox.push.apple.com.")
        }
    }
}
