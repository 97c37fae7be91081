import DeviceSimulator
import JSON

extension Command {
    /// `pharos device tap`
    static let deviceTap = answer(
        "tap", "Taps a notification on a virtual iPhone of pharos dev: its app opens.",
        discussion: "The newest notification, unless --message-id names another.")

    /// `pharos device dismiss`
    static let deviceDismiss = answer(
        "dismiss", "Puts a notification on a virtual iPhone of pharos dev away.",
        discussion: """
            The newest notification, unless --message-id names another. As on iOS, the app hears of it only when the
            notification's category (aps.category, a campaign's clickAction) is one that the app registered with a custom
            dismiss action: “\(AppPackage.dismissibleCategory)” on the phones of pharos dev.
            """)

    /// What the person with the phone does to a notification. Prints the phone as it is then.
    private static func answer(_ verb: String, _ abstract: String, discussion: String) -> Command {
        Command(
            "device \(verb)", abstract,
            options: [
                .value("server", "URL", "The emulator.", default: "http://127.0.0.1:9599"),
                .value("device", "NAME", "The phone, as the emulator's listing names it.", default: "iphone-1"),
                .value("message-id", "ID", "The message of the notification. Default: that of the newest."),
            ],
            discussion: discussion
        ) { (arguments) async throws(CommandFailure) in
            var body = JSONObject()
            if let id = arguments.value("message-id") { body["message_id"] = .string(id) }
            let client = try ServerClient(baseURL: try arguments.required("server"), authorityPEM: nil)
            let device = try arguments.required("device")
            let phone = try await client.sendJSON(
                "POST", EmulatorRoutes.root + "/devices/\(device):\(verb)", body: .object(body))
            StandardStreams.printLine(JSONValue.object(phone).text)
        }
    }
}
