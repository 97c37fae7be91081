import APNsGateway
import Crypto
import EventLoop
import JSON
import PushCore
import SQLiteStore
import Timekeeping

extension Command {
    /// `pharos doctor`
    static let doctor = Command(
        "doctor", "Checks clock, disk, ports, certificates and APNs keys; says what to fix.",
        options: [
            .dataDirectory, ListenOptions.http, ListenOptions.https, ListenOptions.device, ListenOptions.xmpp,
            ListenOptions.xmppTesting,
            .flag("offline", "Do not ask APNs about the keys."),
        ],
        discussion: "Exit code 1 when something failed. Asks Apple's servers, but not about demo projects."
    ) { (arguments) async throws(CommandFailure) in
        let findings = try await Examination(arguments).findings()
        if arguments.wantsJSON {
            let report: JSONObject = ["findings": .array(findings.map(\.json))]
            StandardStreams.printLine(String(decoding: report.encoded, as: UTF8.self))
        } else {
            for finding in findings { StandardStreams.printLine(finding.line) }
        }
        let failures = findings.filter { $0.state == .bad }.count
        if failures > 0 {
            throw .failed("\(failures) of \(findings.count) checks failed.", nextStep: "Follow the arrows above.")
        }
    }
}

/// One visit.
private struct Examination {
    private let arguments: CommandArguments
    private let directory: String
    private let clock = SystemClock()

    init(_ arguments: CommandArguments) throws(CommandFailure) {
        self.arguments = arguments
        directory = try arguments.required("data-dir")
    }

    func findings() async throws(CommandFailure) -> [Finding] {
        let local = LocalChecks(dataDirectory: directory, clock: clock)
        var findings = local.findings
        do {
            let loops = try EventLoopGroup(count: 1)
            for option in ["listen-http", "listen-https", "listen-device", "listen-xmpp", "listen-xmpp-testing"] {
                if let address = try ListenOptions.address(option, in: arguments, allowsPublic: true) {
                    findings.append(local.portFinding(option, address, loops: loops.loops))
                }
            }
            if DataDirectory(path: directory).holdsDatabase {
                findings += try await storeFindings(loops)
            }
            loops.shutDown()
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw .failed("No event loop could be made: \(error).", nextStep: "Raise the limit: ulimit -n 20000")
        }
        return findings
    }

    private func storeFindings(_ loops: EventLoopGroup) async throws -> [Finding] {
        let store: SQLiteStore
        do throws(StoreError) {
            store = try SQLiteStore(
                DataDirectory(path: directory), role: .administration, options: .init(hash: { SHA256.hash($0) }))
        } catch {
            return [
                Finding(
                    subject: "store", state: .bad, text: "\(error)",
                    nextStep: "Restore a backup with pharos restore, or choose another --data-dir.")
            ]
        }
        defer { store.close() }
        var findings = [
            Finding.good("store", "\(try store.projects().count) projects, \(try store.pendingCount()) waiting")
        ]
        guard !arguments.has("offline") else { return findings }
        let gateway = APNsGateway(directory: store, loops: loops.loops, clock: clock)
        findings += try await CredentialChecks(store: store, gateway: gateway, clock: clock).findings()
        await gateway.shutDown()
        return findings
    }
}
