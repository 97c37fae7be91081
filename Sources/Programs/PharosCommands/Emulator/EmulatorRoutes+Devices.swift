import DeviceSimulator
import GoogleAPI
import JSON
import PushModel

/// `/emulator/v1/devices…`: the virtual iPhones.
extension EmulatorRoutes {
    func phone(_ request: RoutedRequest) throws(GoogleError) -> VirtualIPhone {
        guard let phone = emulator.rack.phone(request[parameter: "device"]) else { throw .unknownDevice }
        return phone
    }

    func listDevices(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        [
            "devices": .array(emulator.rack.phones.map(\.summary)),
            "project": .string(emulator.demo.project.id.text),
        ]
    }

    func showDevice(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        try phone(request).summary
    }

    /// Starts an app that was ended, or installs it again.
    func launchDevice(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        let phone = try phone(request)
        let isForeground = try EmulatorBody(request, "foreground").bool("foreground") ?? true
        guard !phone.isRunning else { throw GoogleError(.failedPrecondition, "The app runs already.") }
        do {
            try await emulator.rack.launch(phone, foreground: isForeground)
        } catch {
            throw GoogleError(.internal, "The app did not start: \(error).")
        }
        return phone.summary
    }

    func removeDevice(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        guard await emulator.rack.remove(request[parameter: "device"]) else { throw .unknownDevice }
        return [:]
    }

    func startDevices(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        let body = try EmulatorBody(request, "mode", "foreground", "count", "direct_channel", "dismiss_categories")
        guard let mode = AppPackage.Mode(rawValue: try body.string("mode") ?? "classic") else {
            throw .invalidField("mode", "mode must be classic or fid.")
        }
        let count = try body.integer("count", in: 1...Int64(PhoneRack.capacity)) ?? 1
        let isForeground = try body.bool("foreground") ?? true
        let opensDirectChannel = try body.bool("direct_channel") ?? false
        let room = Int64(PhoneRack.capacity - emulator.rack.phones.count)
        guard count <= room else {
            throw .invalidField("count", "There is room for \(PhoneRack.capacity) devices; \(room) are free.")
        }
        var package = try emulator.package(mode: mode, opensDirectChannel: opensDirectChannel)
        if let categories = try body.list("dismiss_categories") { package.dismissCategories = categories }
        do {
            let started = try await emulator.rack.start(
                count: Int(count), package: package, foreground: isForeground)
            return ["devices": .array(started.map { Self.json($0.phone, $0.identity) })]
        } catch {
            throw GoogleError(.internal, "The virtual iPhone did not register: \(error).")
        }
    }

    private static func json(_ phone: VirtualIPhone, _ identity: VirtualIPhone.Identity) -> JSONValue {
        [
            "device": .string(phone.name),
            "fid": .string(identity.fid),
            "token": identity.token.map { .string($0) } ?? .null,
            "apns_token": .string(identity.apnsToken),
            "android_id": identity.androidID.map { .integer($0) } ?? .null,
            "security_token": identity.securityToken.map { .integer($0) } ?? .null,
            "fis_auth": identity.authToken.map { .string($0) } ?? .null,
            "fis_refresh": identity.refreshToken.map { .string($0) } ?? .null,
        ]
    }

    func change(_ verb: String, _ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        let phone = try phone(request)
        switch verb {
        case "offline": await phone.setOnline(try EmulatorBody(request, "offline").bool("offline") == false)
        case "terminate": await phone.terminate(byUser: try EmulatorBody(request, "by_user").bool("by_user") ?? true)
        case "tap", "dismiss":
            let notification = try EmulatorBody(request, "message_id").string("message_id")
            try await answer { () async throws(VirtualIPhone.Failure) in
                verb == "tap" ? try await phone.tap(notification) : try await phone.dismiss(notification)
            }
        default:
            _ = try EmulatorBody(request)
            switch verb {
            case "foreground": await phone.moveToForeground()
            case "background": await phone.moveToBackground()
            case "online": await phone.setOnline(true)
            default: await phone.uninstall()
            }
        }
        return phone.summary
    }

    /// What the user does with a notification that should be there.
    private func answer(
        _ action: () async throws(VirtualIPhone.Failure) -> Bool
    ) async throws(GoogleError) {
        let wasThere: Bool
        do {
            wasThere = try await action()
        } catch {
            throw GoogleError(.internal, "The app did not start: \(error).")
        }
        guard wasThere else { throw GoogleError(.notFound, "There is no such notification on the phone.") }
    }
}

extension GoogleError {
    fileprivate static let unknownDevice = GoogleError(
        .notFound, "There is no such device. See GET \(EmulatorRoutes.root)/devices.")
}

extension VirtualIPhone {
    /// The phone as a listing shows it.
    fileprivate var summary: JSONValue {
        [
            "device": .string(name),
            "bundle_id": .string(package.bundleID),
            "mode": .string(package.mode.rawValue),
            "fid": registeredFID.map { .string($0) } ?? .null,
            "token": package.mode == .classic ? registered.map { .string($0) } ?? .null : .null,
            "apns_token": .string(apnsToken),
            "running": .bool(isRunning),
            "foreground": .bool(isForeground),
            "online": .bool(isOnline),
            "direct_channel": .bool(isDirectChannelUp),
            "badge": .integer(badge),
            "notifications": .array(
                shownNotifications.map { notification in
                    [
                        "identifier": .string(notification.identifier),
                        "title": notification.title.map { .string($0) } ?? .null,
                        "body": notification.body.map { .string($0) } ?? .null,
                        "message_id": notification.payload["gcm.message_id"] ?? .null,
                        "category": notification.category.map { .string($0) } ?? .null,
                        "attachments": .array(notification.attachments.map(\.json)),
                    ]
                }),
        ]
    }
}
