import MCSWire

/// What the device says when it signs in.
enum DirectChannelLogin {
    /// The kind of network, by the number that the login carries.
    enum Network: Int32, Sendable {
        case none = -1
        case cellular = 0
        case wiFi = 1
    }

    /// - Parameter receivedIDs: Messages that came, and of which the server may not know that.
    static func request(
        _ credentials: CheckInCredentials, version: String, receivedIDs: [String], network: Network
    ) -> LoginRequest {
        let user = String(credentials.deviceID)
        var request = LoginRequest()
        request.id = "ios-\(version)"
        request.domain = LoginRequest.usualDomain
        request.user = user
        request.resource = user
        request.authToken = String(credentials.secret)
        request.deviceID = "android-" + String(credentials.deviceID, radix: 16)
        request.lastRMQID = 1
        request.settings = [Setting(name: "new_vc", value: "1")]
        request.receivedPersistentIDs = receivedIDs
        request.useRMQ2 = true
        request.accountID = 1_000_000
        request.authService = LoginRequest.androidIDService
        request.networkType = network.rawValue
        return request
    }
}
