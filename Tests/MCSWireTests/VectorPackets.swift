import MCSWire

/// The packets of the vectors.
extension Vectors {
    static func login(_ change: (inout LoginRequest) -> Void) -> LoginRequest {
        var request = LoginRequest()
        request.id = "chrome-1"
        request.domain = LoginRequest.usualDomain
        request.user = "1"
        request.resource = "1"
        request.authToken = "2"
        request.deviceID = "android-1"
        request.settings = [Setting(name: "new_vc", value: "1")]
        request.useRMQ2 = true
        request.authService = LoginRequest.androidIDService
        request.networkType = 1
        change(&request)
        return request
    }

    static func captured(_ software: String, _ change: (inout LoginRequest) -> Void) -> LoginRequest {
        login {
            $0.id = software
            $0.user = "4186988920390508657"
            $0.resource = "4186988920390508657"
            $0.authToken = "1234605616436508552"
            $0.deviceID = "android-3a1b2c3d4e5f6071"
            $0.adaptiveHeartbeat = false
            change(&$0)
        }
    }

    static func accepted(_ config: HeartbeatConfig? = nil) -> LoginResponse {
        var response = LoginResponse(id: "chrome-1")
        response.lastStreamIDReceived = 1
        response.serverTimestamp = 1_700_000_000_000
        response.heartbeatConfig = config
        return response
    }

    static func refused() -> LoginResponse {
        var response = LoginResponse(id: "chrome-1")
        response.error = ErrorInfo(code: 401, message: "auth")
        return response
    }

    static var downstream: DataMessageStanza {
        var stanza = DataMessageStanza()
        stanza.id = "0000000A"
        stanza.from = "123456789012"
        stanza.category = "org.example.app"
        stanza.token = "ck"
        stanza.appData = [DataMessageStanza.AppData(key: "k", value: "v")]
        stanza.persistentID = "0:1700000000000000%0000000000000001"
        stanza.timeToLive = 3_600
        stanza.sent = 1_700_000_000_000
        return stanza
    }

    static var deleted: DataMessageStanza {
        var stanza = DataMessageStanza()
        stanza.from = "1"
        stanza.category = "app"
        stanza.appData = [
            DataMessageStanza.AppData(key: "message_type", value: "deleted_messages"),
            DataMessageStanza.AppData(key: "total_deleted", value: "3"),
        ]
        stanza.persistentID = "0:2%0"
        return stanza
    }

    static var upstream: DataMessageStanza {
        var stanza = DataMessageStanza()
        stanza.id = "m1"
        stanza.from = "gcm@chrome.com"
        stanza.to = "1@gcm.googleapis.com"
        stanza.category = "app"
        stanza.appData = [DataMessageStanza.AppData(key: "a", value: "b")]
        stanza.persistentID = "1"
        stanza.lastStreamIDReceived = 2
        stanza.timeToLive = 60
        stanza.sent = 1_700_000_000
        stanza.queued = 0
        return stanza
    }

    static var idleAnswer: DataMessageStanza {
        var stanza = DataMessageStanza()
        stanza.from = "gcm@android.com"
        stanza.category = "com.google.android.gsf.gtalkservice"
        stanza.appData = [DataMessageStanza.AppData(key: "IdleNotification", value: "false")]
        stanza.lastStreamIDReceived = 6
        stanza.timeToLive = 0
        stanza.sent = 13_440_539_246
        stanza.queued = 0
        return stanza
    }
}
