import MCSWire

/// A device on the device channel.
struct DeviceDialect: ClientDialect {
    private static let version: UInt8 = 41
    private static let maximumPayloadBytes = 65_536

    private let androidID: UInt64
    /// Messages between two acknowledgements.
    private let messagesPerAcknowledgement: Int
    /// To whose app server it sends.
    private let senderID: String
    private var reader = MCSFrameReader(maximumPayloadBytes: Self.maximumPayloadBytes)
    private var packets: Int32 = 0
    private var unacknowledged = 0

    init(androidID: UInt64, messagesPerAcknowledgement: Int = 1, senderID: String = "") {
        self.androidID = androidID
        self.senderID = senderID
        self.messagesPerAcknowledgement = messagesPerAcknowledgement
    }

    func begin(into output: inout [UInt8]) {
        var request = LoginRequest()
        request.id = "chrome-63.0.3234.0"
        request.domain = LoginRequest.usualDomain
        request.user = String(androidID)
        request.resource = request.user
        request.authToken = String(BenchWorld.channelSecret)
        request.deviceID = "android-" + String(androidID, radix: 16)
        request.authService = LoginRequest.androidIDService
        request.useRMQ2 = true
        output.append(Self.version)
        MCSPacket.loginRequest(request).append(to: &output)
    }

    mutating func receive(
        _ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]
    ) throws(BenchFailure) -> ClientProgress {
        var progress = ClientProgress()
        reader.receive(bytes)
        do throws(MCSError) {
            while let element = try reader.next() {
                guard case .packet(let packet) = element else { continue }
                packets += 1
                read(packet, &progress, into: &output)
            }
        } catch {
            throw .failed("The device channel sent bad bytes: \(error)")
        }
        return progress
    }

    private mutating func read(_ packet: MCSPacket, _ progress: inout ClientProgress, into output: inout [UInt8]) {
        switch packet {
        case .loginResponse(let response): progress.isReady = response.error == nil
        case .dataMessage:
            progress.messages += 1
            unacknowledged += 1
            guard unacknowledged >= messagesPerAcknowledgement else { return }
            unacknowledged = 0
            MCSPacket.iq(.streamAck(lastStreamIDReceived: packets)).append(to: &output)
        default: break
        }
    }

    func send(_ name: String, bytes: Int, into output: inout [UInt8]) {
        var message = DataMessageStanza()
        message.id = name
        message.persistentID = name
        message.to = senderID + "@gcm.googleapis.com"
        message.category = BenchWorld.bundleID
        message.appData = [.init(key: "text", value: String(repeating: "x", count: bytes))]
        message.timeToLive = 3_600
        message.lastStreamIDReceived = packets
        MCSPacket.dataMessage(message).append(to: &output)
    }
}
