import Bytes
import MCSWire
import Testing

/// One packet and its frame, made with a protobuf library or captured from a client.
struct Vector: CustomTestStringConvertible, Sendable {
    let name: String
    let packet: MCSPacket
    let hex: String

    init(_ name: String, _ packet: MCSPacket, _ hex: String) {
        self.name = name
        self.packet = packet
        self.hex = hex
    }

    var frame: [UInt8] { Hex.decode(hex) ?? [] }
    var testDescription: String { name }
}

enum Vectors {
    static let all = logins + answers + heartbeats + acknowledgements + messages + rest

    static let logins = [
        Vector(
            "V1: login of a version 41 client", .loginRequest(login { $0.adaptiveHeartbeat = false }),
            "02460a086368726f6d652d31120f6d63732e616e64726f69642e636f6d1a01312201312a01323209616e64726f69642d31420b0a066e"
                + "65775f766312013160007001800102880101"),
        Vector(
            "V1b: login with received messages",
            .loginRequest(
                login {
                    $0.adaptiveHeartbeat = false
                    $0.receivedPersistentIDs = ["0:1%a", "0:2%b"]
                }),
            "02540a086368726f6d652d31120f6d63732e616e64726f69642e636f6d1a01312201312a01323209616e64726f69642d31420b0a066e"
                + "65775f76631201315205303a3125615205303a32256260007001800102880101"),
        Vector(
            "V1c: login of a version 40 client",
            .loginRequest(
                login {
                    $0.id = "ios-1.0"
                    $0.lastRMQID = 1
                    $0.accountID = 1_000_000
                }),
            "02490a07696f732d312e30120f6d63732e616e64726f69642e636f6d1a01312201312a01323209616e64726f69642d313801420b0a06"
                + "6e65775f7663120131700178c0843d800102880101"),
        Vector(
            "login of firebase-messaging 0.4.5, captured",
            .loginRequest(
                captured("94.0.4606.51") {
                    $0.heartbeatStat = HeartbeatStat(ip: "", timeout: true, intervalMilliseconds: 10_000)
                }),
            "0298010a0c39342e302e343630362e3531120f6d63732e616e64726f69642e636f6d1a13343138363938383932303339303530383635"
                + "372213343138363938383932303339303530383635372a13313233343630353631363433363530383535323218616e6472"
                + "6f69642d33613162326333643465356636303731420b0a066e65775f766312013160006a070a00100118904e7001800102"
                + "880101"),
        Vector(
            "login of Chromium 156, captured", .loginRequest(captured("chrome-156.0.8078.114") { _ in }),
            "0298010a156368726f6d652d3135362e302e383037382e313134120f6d63732e616e64726f69642e636f6d1a13343138363938383932"
                + "3033393035303836353722133431383639383839323033393035303836353"
                + "72a13313233343630353631363433363530383535323218616e64726f69642d33613162326333643465356636303731420b"
                + "0a066e65775f766312013160007001800102880101"),
    ]

    static let answers = [
        Vector("V2: login accepted", .loginResponse(accepted()), "03130a086368726f6d652d3130014080d095ffbc31"),
        Vector(
            "V2b: login accepted with a heartbeat interval",
            .loginResponse(accepted(HeartbeatConfig(intervalMilliseconds: 300_000))),
            "03190a086368726f6d652d3130013a0418e0a7124080d095ffbc31"),
        Vector(
            "V2c: login refused", .loginResponse(refused()), "03150a086368726f6d652d311a09089103120461757468"),
    ]

    static let heartbeats = [
        Vector("V3: empty ping", .heartbeatPing(Heartbeat()), "0000"),
        Vector("V3b: ping after 5", .heartbeatPing(Heartbeat(lastStreamIDReceived: 5)), "00021005"),
        Vector("V3c: ping after 300", .heartbeatPing(Heartbeat(lastStreamIDReceived: 300)), "000310ac02"),
        Vector("V3d: empty answer", .heartbeatAck(Heartbeat()), "0100"),
        Vector("V3d: answer after 5", .heartbeatAck(Heartbeat(lastStreamIDReceived: 5)), "01021005"),
        Vector("V3d: answer after 300", .heartbeatAck(Heartbeat(lastStreamIDReceived: 300)), "010310ac02"),
    ]

    static let acknowledgements = [
        Vector(
            "V4: stream acknowledgement, captured", .iq(.streamAck(lastStreamIDReceived: 12)),
            "070c10011a003a04080d1200500c"),
        Vector("V5: empty selective acknowledgement", .iq(.selectiveAck([])), "070a10011a003a04080c1200"),
        Vector(
            "V5b: selective acknowledgement of two", .iq(.selectiveAck(["1001", "1002"])),
            "071610011a003a10080c120c0a04313030310a0431303032"),
        Vector(
            "selective acknowledgement of firebase-messaging, captured",
            .iq(.selectiveAck(["0:1796064758327911%c5da679ff9fd7ecd"])),
            "072f10011a003a29080c12250a23303a313739363036343735383332373931312563356461363739666639666437656364"),
    ]

    static let messages = [
        Vector(
            "V6: a message", .dataMessage(downstream),
            "0866120830303030303030411a0c3132333435363738393031322a0f6f72672e6578616d706c652e6170703202636b3a060a016b1201"
                + "764a23303a3137303030303030303030303030303025303030303030303030303030303030318801901c900180d095ffbc"
                + "31"),
        Vector(
            "V7: deleted messages", .dataMessage(deleted),
            "08451a01312a036170703a200a0c6d6573736167655f74797065121064656c657465645f6d657373616765733a120a0d746f74616c5f"
                + "64656c657465641201334a05303a322530"),
        Vector(
            "V8: an upstream message", .dataMessage(upstream),
            "084912026d311a0e67636d406368726f6d652e636f6d2214314067636d2e676f6f676c65617069732e636f6d2a036170703a060a0161"
                + "1201624a0131580288013c900180e2cfaa06980100"),
        Vector(
            "V12: Chromium's answer to a probe, captured", .dataMessage(idleAnswer),
            "08601a0f67636d40616e64726f69642e636f6d2a23636f6d2e676f6f676c652e616e64726f69642e6773662e6774616c6b7365727669"
                + "63653a190a1049646c654e6f74696669636174696f6e120566616c736558068801009001eeb4f98832980100"),
    ]

    static let rest = [
        Vector("V9: close", .close, "0400"),
        Vector(
            "V10: stream error", .streamError(StreamErrorStanza(type: "conflict", text: "x")),
            "0a0d0a08636f6e666c696374120178"),
    ]
}
