import Accounts
import Bytes
import GoogleAPI
import JSON
public import PushCore
import PushModel

/// The apps of a project, and the files that they are built with.
public struct AppEndpoints: Sendable {
    let store: any ProjectEndpoints.Store
    let address: PublicAddress
    let webPushKeys: any WebPushKeys

    public init(store: any ProjectEndpoints.Store, address: PublicAddress, webPushKeys: any WebPushKeys) {
        self.store = store
        self.address = address
        self.webPushKeys = webPushKeys
    }

    public var part: ConsolePart {
        ConsolePart(
            "Apps",
            endpoints: [
                ConsoleEndpoint(
                    "app.list", "GET", "projects/{project}/apps", "Lists the apps of a project.",
                    access: .project(.viewer), query: ConsolePage.parameters,
                    answer: .json(.page("apps", of: .reference("App"))), handler: list),
                ConsoleEndpoint(
                    "app.create", "POST", "projects/{project}/apps", "Adds an app.", access: .project(.administrator),
                    body: .object([
                        .required("platform", Self.platformSchema, "Apple’s other systems are ios too."),
                        .optional("bundleId", .text(upTo: 255), "The bundle id or package; a web app has none."),
                        .optional("displayName", .text(upTo: 100), "For people; the bundle id if it is not given."),
                    ]), answer: .json(.reference("App")), handler: create),
                ConsoleEndpoint(
                    "app.get", "GET", "projects/{project}/apps/{app}", "Shows an app.", access: .project(.viewer),
                    answer: .json(.reference("App")), handler: show),
                ConsoleEndpoint(
                    "app.delete", "DELETE", "projects/{project}/apps/{app}",
                    "Removes an app and ends the registrations of its devices.", access: .project(.administrator),
                    handler: delete),
                ConsoleEndpoint(
                    "app.config", "GET", "projects/{project}/apps/{app}/config",
                    "Gives the file that the app is built with.", access: .project(.viewer),
                    answer: .other(["application/xml", "application/json"]), handler: configuration),
            ],
            schemas: [
                "App": .object([
                    .required("appId", .text(1)), .required("platform", Self.platformSchema),
                    .required("bundleId", .text()), .required("displayName", .text()),
                    .required("apiKey", .text(1), "What the app’s SDK sends; it is in every copy of the app."),
                ])
            ])
    }

    private static let platformSchema = ConsoleSchema.choice(AppPlatform.allCases.map(\.rawValue))

    private func list(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let page = try request.page()
        let apps = store.apps(of: request.project.number).filter { $0.id.text > page.key ?? "" }
            .sorted { $0.id.text < $1.id.text }.prefix(page.size + 1)
        return page.answer("apps", Array(apps), key: \.id.text) { .object(json($0)) }
    }

    private func create(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let platform = AppPlatform(rawValue: request.body["platform"]?.string ?? "") ?? .ios
        // A web app is known by its id alone; what its author calls it is a name for people.
        let given = request.body["bundleId"]?.string ?? ""
        let bundleID = platform == .web ? "" : given
        guard platform.isBundleID(bundleID) else {
            throw .invalidField("bundleId", Self.bundleRule(platform))
        }
        let name = request.body["displayName"]?.string ?? ""
        let app = try await asking { () async throws(StoreError) in
            try await store.createApp(
                in: request.project.number, platform: platform, bundleID: bundleID,
                displayName: !name.isEmpty ? name : !given.isEmpty ? given : "Web app")
        }
        return .json(json(app)).audited(app.id.text, app.displayName)
    }

    private static func bundleRule(_ platform: AppPlatform) -> String {
        platform == .ios
            ? "A bundle id has letters, digits, hyphens and periods, like com.example.app."
            : "A package has letters, digits and underscores in at least two parts, like com.example.app."
    }

    private func show(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        .json(json(try app(request)))
    }

    private func delete(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let app = try app(request)
        try await asking { () async throws(StoreError) in try await store.removeApp(app.id) }
        return .done.audited(app.id.text, app.displayName)
    }

    private func configuration(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let app = try app(request)
        let configuration = AppConfiguration(
            app: app, project: request.project, serverURL: address.serverURL(seenBy: request.head),
            directChannel: address.directChannel(seenBy: request.head),
            webPushKey: Base64URL.encode(webPushKeys.publicKey(of: request.project.number)))
        return switch app.id.platform {
        case .ios: .file(configuration.plist, named: "GoogleService-Info.plist", contentType: "application/xml")
        case .android: Self.file(configuration.googleServices, named: "google-services.json")
        case .web: Self.file(configuration.webOptions, named: "firebase-config.json")
        }
    }

    private static func file(_ json: JSONObject, named name: String) -> ConsoleAnswer {
        .file(JSONValue.object(json).prettyPrinted, named: name, contentType: "application/json")
    }

    private func app(_ request: ConsoleRequest) throws(GoogleError) -> App {
        guard let id = AppID(request[path: "app"]), let app = store.app(id: id), app.project == request.project.number
        else { throw .absent("app") }
        return app
    }

    private func json(_ app: App) -> JSONObject {
        [
            "appId": .string(app.id.text), "platform": .string(app.id.platform.rawValue),
            "bundleId": .string(app.bundleID), "displayName": .string(app.displayName),
            "apiKey": .string(app.apiKey),
        ]
    }
}
