import Crypto
import JSON
import PushCore
import PushModel
import SQLiteStore
import Timekeeping

extension Command {
    /// `pharos token inspect`
    static let tokenInspect = Command(
        "token inspect", "Says what a registration token, FID or installation auth token is.",
        operands: ["TOKEN"], options: [.dataDirectory],
        discussion: "Reads the store of this machine; works beside a running server."
    ) { (arguments) async throws(CommandFailure) in
        let directory = DataDirectory(path: try arguments.required("data-dir"))
        let text = arguments.operands[0]
        do throws(StoreError) {
            let store = try SQLiteStore(directory, role: .administration, options: .init(hash: { SHA256.hash($0) }))
            defer { store.close() }
            let findings = try TokenInspection(store: store).findings(text)
            show(findings, asJSON: arguments.wantsJSON)
        } catch {
            throw .store(error)
        }
    }

    private static func show(_ findings: JSONObject, asJSON: Bool) {
        guard !asJSON else { return StandardStreams.printLine(String(decoding: findings.encoded, as: UTF8.self)) }
        for member in findings.members {
            StandardStreams.printLine("\(member.name): \(member.value.string ?? member.value.text)")
        }
    }
}

/// Looks a token up.
private struct TokenInspection {
    let store: SQLiteStore

    func findings(_ text: String) throws(StoreError) -> JSONObject {
        let sealing = Sealing.openSSL(secret: store.serverSecret)
        if let content = RegistrationTokenCodec(sealing: sealing).decode(text) {
            return try registrationFindings(content)
        }
        if let proof = InstallationTokenCodec(sealing: sealing).decode(text, at: SystemClock().now()) {
            return [
                "kind": "installation auth token", "fid": .string(proof.fid.text), "app_id": .string(proof.app.text),
                "note": "It proves an app instance to the registration API; messages cannot be sent to it.",
            ]
        }
        if let fid = FirebaseInstallationID(text) {
            return ["kind": "FID", "fid": .string(fid.text)]
        }
        return [
            "kind": "unknown",
            "note": "This server never gave it out: it is mistyped, cut off, or of another server.",
        ]
    }

    private func registrationFindings(_ content: RegistrationTokenContent) throws(StoreError) -> JSONObject {
        var findings: JSONObject = [
            "kind": "registration token",
            "fid": .string(content.fid),
            "project": .string(store.project(number: content.project)?.id.text ?? "deleted"),
            "sender_id": .string(content.project.description),
        ]
        guard let registration = try store.registration(content.registration) else {
            findings["state"] = "gone"
            return findings
        }
        findings["state"] = .string(state(of: registration, nonce: content.nonce))
        findings["bundle_id"] = .string(registration.bundleID)
        if let app = registration.app { findings["app_id"] = .string(app.text) }
        if case .apple(let address?) = registration.channel {
            findings["apns_token"] = .string(address.token.hex)
            findings["apns_environment"] = .string(address.environment.rawValue)
        }
        findings["confirmed_at_ms"] = .integer(registration.confirmedAt.milliseconds)
        return findings
    }

    private func state(of registration: Registration, nonce: UInt64) -> String {
        if let ending = registration.ending { return "ended: \(ending.rawValue)" }
        return registration.tokenNonce == nonce ? "live" : "replaced by a newer token of the same app instance"
    }
}
