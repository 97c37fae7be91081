import DeviceSimulator
import EventLoop
import FirebasePlatform
@preconcurrency import Glibc
import HTTPClient
import JSON
import Synchronization
import Timekeeping
import Transport

/// A process that is a virtual iPhone with one app on it.
///
/// Options: `--plist FILE` GoogleService-Info.plist, `--info FILE` the app's Info.plist, `--simulator URL` the control API
/// of the APNs simulator, `--ca FILE` whom the direct channel trusts, `--name NAME`.
///
/// Standard input takes a command as a line of JSON, like `{"command": "launch"}`; standard output gives what the app
/// prints, and a line of JSON for each event of the phone and for each command that is done.
enum PhoneProcess {
    static func run(_ app: any UIApplicationDelegate.Type) async {
        setlinebuf(stdout)
        do {
            let phone = try PhoneOnDesk(Options(CommandLine.arguments), app)
            while let line = readLine() {
                guard let order = (try? JSONValue(parsing: Array(line.utf8)))?.object else { continue }
                say(await phone.perform(order))
            }
            await phone.close()
        } catch {
            say(["event": "failed", "reason": .string("\(error)")])
        }
    }

    static func say(_ object: JSONObject) { print(JSONValue.object(object).text) }

    struct Options {
        private var values: [String: String] = [:]

        init(_ arguments: [String]) {
            for (name, value) in zip(arguments.dropFirst(), arguments.dropFirst(2)) where name.hasPrefix("--") {
                values[String(name.dropFirst(2))] = value
            }
        }

        struct Missing: Error { var name: String }

        func value(_ name: String) throws -> String {
            guard let value = values[name] else { throw Missing(name: "--" + name) }
            return value
        }

        func bytes(_ name: String) throws -> [UInt8] {
            let path = try value(name)
            guard let data = try? Data(contentsOf: URL(filePath: path)) else { throw Missing(name: path) }
            return Array(data)
        }
    }
}

/// The phone and who holds it.
private final class PhoneOnDesk: Sendable {
    private let loops: EventLoopGroup
    private let phone: VirtualIPhone
    private let user: User

    /// What the user will answer when the app asks.
    private final class User: Sendable {
        let accepts = Mutex(true)
        let app = Mutex<HostedDelegate?>(nil)
    }

    init(_ options: PhoneProcess.Options, _ app: any UIApplicationDelegate.Type) throws {
        loops = try EventLoopGroup(count: 1)
        let loop = loops.next()
        let user = User()
        var configuration = HTTPClientConfiguration()
        configuration.requestDeadline = .seconds(60)
        let client = try HTTPClient(configuration, loop: loop)
        let name = try options.value("name")
        phone = VirtualIPhone(
            name: name, package: try Self.package(options, app, user),
            link: ControlLink(base: try options.value("simulator"), device: name, client: client, loop: loop),
            transport: HTTPTransport(client: client),
            byteStreams: try TLSByteStreams(trust: .authorities(pem: try options.bytes("ca")), loop: loop),
            clock: SystemClock(), loop: loop, events: { print($0.json.text) })
        // Nobody has asked the user yet.
        phone.setAllowsNotifications(false)
        self.user = user
    }

    private static func package(
        _ options: PhoneProcess.Options, _ app: any UIApplicationDelegate.Type, _ user: User
    ) throws -> AppPackage {
        let plist = try options.bytes("plist")
        let info = PlistValue.dictionary(parsing: try options.bytes("info")) ?? [:]
        let isFID = info["FirebaseMessagingInstallationIdEnabled"]?.flag ?? false
        var package = AppPackage(
            bundleID: ConfigurationFile(plist)?.bundleID ?? "", mode: isFID ? .fid : .classic,
            configurationPlist: plist)
        package.infoValues = info
        package.hasServiceExtension = app.serviceExtension != nil
        package.code = AppCode(
            makeApp: { phone in
                let hosted = HostedDelegate(app.init(), on: phone) { user.accepts.withLock { $0 } }
                user.app.withLock { $0 = hosted }
                return hosted
            },
            makeServiceExtension: {
                HostedExtension((app.serviceExtension ?? UNNotificationServiceExtension.self).init())
            })
        return package
    }

    /// - Returns: What came of it: the command's name as event, and the state of the phone.
    func perform(_ order: JSONObject) async -> JSONObject {
        let command = order["command"]?.string ?? ""
        do {
            try await perform(command, order)
            var answer: JSONObject = ["event": .string(command)]
            for member in state.members { answer[member.name] = member.value }
            return answer
        } catch {
            return ["event": .string(command), "error": .string("\(error)")]
        }
    }

    private func perform(_ command: String, _ order: JSONObject) async throws {
        switch command {
        case "launch": try await phone.launch(foreground: order["foreground"]?.bool ?? true)
        case "terminate": await phone.terminate(byUser: order["by_user"]?.bool ?? false)
        case "uninstall": await phone.uninstall()
        case "foreground": await phone.moveToForeground()
        case "background": await phone.moveToBackground()
        case "online": await phone.setOnline(true)
        case "offline": await phone.setOnline(false)
        case "tap": guard try await phone.tap(order["identifier"]?.string) else { throw Refusal.noNotification }
        case "dismiss": guard try await phone.dismiss(order["identifier"]?.string) else { throw Refusal.noNotification }
        case "deny": user.accepts.withLock { $0 = false }
        case "open": try await open(order["url"]?.string ?? "")
        case "state": break
        default: throw Refusal.unknownCommand
        }
    }

    private enum Refusal: Error { case unknownCommand, noNotification, notRunning, linkRefused }

    private func open(_ link: String) async throws {
        guard let url = URL(string: link) else { throw Refusal.linkRefused }
        guard phone.isRunning, let app = user.app.withLock({ $0 }) else { throw Refusal.notRunning }
        guard await phone.onMainThread({ app.open(url) }) else { throw Refusal.linkRefused }
    }

    private var state: JSONObject {
        [
            "running": .bool(phone.isRunning), "foreground": .bool(phone.isForeground),
            "apns_token": .string(phone.apnsToken), "badge": .integer(Int64(phone.badge)),
            "tray": .array(
                phone.shownNotifications.map { shown in
                    [
                        "title": shown.title.map { .string($0) } ?? .null,
                        "body": shown.body.map { .string($0) } ?? .null,
                        "category": shown.category.map { .string($0) } ?? .null,
                        "attachments": .array(shown.attachments.map(\.json)),
                    ]
                }),
            "log": .array(phone.logLines.map { .string($0) }),
        ]
    }

    func close() async {
        await phone.close()
        loops.shutDown()
    }
}
