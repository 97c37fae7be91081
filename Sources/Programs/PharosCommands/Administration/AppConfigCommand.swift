import Bytes
import ConsoleAPI
import JSON
import PushCore
import PushModel
import SQLiteStore
import WebPushGateway

extension AdministrationCommand {
    /// `pharos app config`
    static let appConfig = AdministrationCommand(
        "app config", "Writes an app's GoogleService-Info.plist, or the same as JSON.", operands: ["APP"],
        options: [
            .project, .server,
            .value("direct-channel", "HOST:PORT", "Where devices reach the direct channel, if there is one."),
            .value("format", "FORMAT", "plist or json. A plist is for Apple apps alone.", default: "plist"),
            .value("out", "FILE", "Where to write it. Default: standard output."),
        ],
        discussion: "APP is an app id (1:…:ios:…), or a bundle id of the project."
    ) { (administration, arguments) async throws(CommandFailure) in
        let app = try await administration.app(arguments.operands[0], arguments)
        let project = try administration.project(named: app.project.description)
        var configuration = AppConfiguration(
            app: app, project: project, serverURL: try arguments.serverURL(),
            directChannel: arguments.value("direct-channel"))
        if app.id.platform == .web {
            configuration.webPushKey = Base64URL.encode(administration.webPushKeys.publicKey(of: project.number))
        }
        let content = try configuration.content(in: arguments.required("format"))
        guard let path = arguments.value("out") else {
            return CommandReport(
                text: String(String(decoding: content, as: UTF8.self).trimmingLastLineEnd),
                json: .object(configuration.json))
        }
        try PrivateFile.write(content, to: path, mode: 0o644)
        return CommandReport(
            text: "\(path) is for \(app.id).", json: ["file": .string(path), "app_id": .string(app.id.text)])
    }
}

extension AppConfiguration {
    /// The file in the format that a word names.
    func content(in format: String) throws(CommandFailure) -> [UInt8] {
        switch format {
        case "json": return JSONValue.object(json).prettyPrinted
        case "plist":
            guard app.id.platform == .ios else {
                throw .usage(
                    "\(app.id) is an app for \(app.id.platform.rawValue), and GoogleService-Info.plist is for Apple apps.",
                    nextStep: "Use --format json, or name an app id like 1:\(app.project):ios:….")
            }
            return plist
        default: throw .usage("“\(format)” is no format.", nextStep: "Choose --format plist or --format json.")
        }
    }
}

extension Administration {
    /// The app that an app id or a bundle id names.
    func app(_ name: String, _ arguments: CommandArguments) async throws(CommandFailure) -> App {
        if let id = AppID(name) {
            guard let app = store.app(id: id) else {
                throw .failed("There is no app \(id).", nextStep: "See which there are: pharos app list.")
            }
            return app
        }
        let project = try await project(arguments)
        let isForApple = arguments.value("format") == "plist"
        let apps = store.apps(of: project.number).filter {
            $0.bundleID == name && !name.isEmpty && ($0.id.platform == .ios || !isForApple)
        }
        guard let app = apps.first else {
            throw .failed(
                "The project \(project.id) has no app “\(name)”.", nextStep: "See which it has: pharos app list.")
        }
        guard apps.count == 1 else {
            throw .usage(
                "\(name) is an app for several platforms.",
                nextStep: "Name one by its app id: \(apps.map(\.id.text).joined(separator: ", ")).")
        }
        return app
    }
}

extension String {
    fileprivate var trimmingLastLineEnd: Substring {
        hasSuffix("\n") ? dropLast() : self[...]
    }
}
