import JSON
import PushCore
import PushModel

/// What a project needs before its first message arrives, and what of it is done.
struct Checklist {
    struct Item {
        var id: String
        var title: String
        var isDone: Bool
        /// What to do, in a sentence or two.
        var help: String
        /// Where in the console: a page of the project.
        var link: String

        var json: JSONValue {
            [
                "id": .string(id), "title": .string(title), "isDone": .bool(isDone), "help": .string(help),
                "link": .string(link),
            ]
        }
    }

    static let itemSchema = ConsoleSchema.object([
        .required("id", .text(1)), .required("title", .text(1)), .required("isDone", .flag),
        .required("help", .text(), "What to do."),
        .required("link", .text(), "A page of the project in the console."),
    ])

    let apps: [App]
    let credentials: [APNsCredential]
    let hasAppServer: Bool
    let progress: ProjectProgress

    var items: [Item] {
        let apple = apps.filter { $0.id.platform == .ios }
        var items = [
            Item(
                id: "app", title: "Add an app", isDone: !apps.isEmpty,
                help: "Name its bundle id or package, as the app has it.", link: "apps")
        ]
        if apps.isEmpty || !apple.isEmpty { items += [keyItem(apple)] }
        return items + [
            Item(
                id: "device", title: "Build the configuration into the app", isDone: progress.hasRegistrations,
                help: "Download the app’s file, put it into the app and start it: its device registers by itself.",
                link: "apps"),
            Item(
                id: "app-server", title: "Let an app server send", isDone: hasAppServer,
                help: "Make a service account for it. Without one, messages are composed here only.", link: "keys"),
            Item(
                id: "message", title: "Send a first message", isDone: progress.hasDeliveries,
                help: "Compose a notification and send it to your own device as a test.", link: "campaigns/new"),
        ]
    }

    /// Every Apple app needs a credential that serves it.
    private func keyItem(_ apple: [App]) -> Item {
        let missing = apple.filter { app in
            !credentials.contains { $0.bundleIDs.isEmpty || $0.bundleIDs.contains(app.bundleID) }
        }
        let names = missing.map(\.bundleID).joined(separator: ", ")
        return Item(
            id: "apns-key", title: "Upload an APNs key", isDone: !credentials.isEmpty && missing.isEmpty,
            help: credentials.isEmpty || missing.isEmpty
                ? "Apple devices get messages through Apple’s push service, which asks for a key of your team."
                : "No key serves \(names).", link: "keys")
    }
}
