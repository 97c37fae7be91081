import JSON
import PushCore
import PushModel
import SQLiteStore

extension AdministrationCommand {
    /// `pharos app create`
    static let appCreate = AdministrationCommand(
        "app create", "Adds an app to a project.",
        options: [
            .project, .value("platform", "PLATFORM", "ios, android or web.", default: "ios"),
            .value("bundle-id", "ID", "The bundle id or package name; none for web."),
            .value("name", "TEXT", "A name for people. Default: the bundle id."),
        ],
        discussion: "For macOS, tvOS and watchOS apps the platform is ios too."
    ) { (administration, arguments) async throws(CommandFailure) in
        let project = try await administration.project(arguments)
        let form = try AppForm(arguments)
        let app = try await administration.ask { (store) throws(StoreError) in
            try await store.createApp(
                in: project.number, platform: form.platform, bundleID: form.bundleID, displayName: form.name)
        }
        return CommandReport(
            text: """
                App \(app.id), API key \(app.apiKey).
                Next: pharos app config \(app.id)\(form.platform == .ios ? "" : " --format json")
                """,
            json: .object(app.json))
    }

    /// `pharos app list`
    static let appList = AdministrationCommand("app list", "Lists the apps of a project.", options: [.project]) {
        (administration, arguments) async throws(CommandFailure) in
        let project = try await administration.project(arguments)
        let apps = administration.store.apps(of: project.number)
        let rows = apps.map { [$0.id.platform.rawValue, $0.bundleID, $0.id.text, $0.apiKey, $0.displayName] }
        return CommandReport(
            text: rows.isEmpty
                ? "There is no app. Make one: pharos app create --project \(project.id)"
                : CommandReport.table([["PLATFORM", "BUNDLE ID", "APP ID", "API KEY", "NAME"]] + rows),
            json: ["apps": .array(apps.map { .object($0.json) })])
    }
}

/// What `pharos app create` was asked for, checked.
struct AppForm {
    let platform: AppPlatform
    let bundleID: String
    let name: String

    init(_ arguments: CommandArguments) throws(CommandFailure) {
        let word = try arguments.required("platform")
        guard let platform = AppPlatform(rawValue: word) else {
            throw .usage("“\(word)” is no platform.", nextStep: "Choose ios, android or web.")
        }
        self.platform = platform
        bundleID = arguments.value("bundle-id") ?? ""
        name = arguments.value("name") ?? (bundleID.isEmpty ? "Web app" : bundleID)
        guard platform.isBundleID(bundleID) else {
            throw .usage(
                platform == .web ? "A web app has no bundle id." : "“\(bundleID)” is no bundle id.",
                nextStep: platform == .web ? "Leave --bundle-id out." : "Give one like --bundle-id com.example.app.")
        }
    }
}

extension App {
    var json: JSONObject {
        [
            "app_id": .string(id.text), "platform": .string(id.platform.rawValue), "bundle_id": .string(bundleID),
            "api_key": .string(apiKey), "name": .string(displayName),
        ]
    }
}
