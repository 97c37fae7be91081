import MCSWire
import PushModel

/// A device that checked in, with one app.
struct Device: Sendable {
    let credentials: DeviceCredentials
    let registration: Registration
    let token: String

    func login(received: [String] = [], securityToken: UInt64? = nil) -> LoginRequest {
        var request = LoginRequest()
        request.id = "chrome-63.0.3234.0"
        request.domain = LoginRequest.usualDomain
        request.user = String(credentials.androidID)
        request.resource = request.user
        request.authToken = String(securityToken ?? credentials.securityToken)
        request.deviceID = "android-" + String(credentials.androidID, radix: 16)
        request.settings = [Setting(name: "new_vc", value: "1")]
        request.receivedPersistentIDs = received
        request.adaptiveHeartbeat = false
        request.useRMQ2 = true
        request.authService = LoginRequest.androidIDService
        request.networkType = 1
        return request
    }
}
