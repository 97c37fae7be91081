import Bytes
import EventLoop
import MCSWire
import PushModel
import Testing

@testable import DeviceChannel

@Suite struct `Device session at login` {
    private func login(in events: [SessionEvent]) throws -> DeviceLogin {
        guard case .login(let login) = try #require(events.first) else { throw SessionEnd.notALogin }
        return login
    }

    static let captured = [
        "29029801"
            + "0a0c39342e302e343630362e3531120f6d63732e616e64726f69642e636f6d1a1334313836393838393230333930353038"
            + "363537221334313836393838393230333930353038363537"
            + "2a13313233343630353631363433363530383535323218616e64726f69642d33613162326333643465356636303731420b0a06"
            + "6e65775f766312013160006a070a00100118904e7001800102880101",
        "29029801"
            + "0a156368726f6d652d3135362e302e383037382e313134120f6d63732e616e64726f69642e636f6d1a133431383639383839"
            + "3230333930353038363537221334313836393838393230333930353038363537"
            + "2a13313233343630353631363433363530383535323218616e64726f69642d33613162326333643465356636303731420b0a06"
            + "6e65775f766312013160007001800102880101",
    ]

    @Test(arguments: captured) func `takes the captured login of a client, cut anywhere`(hex: String) throws {
        let bytes = try #require(Hex.decode(hex))
        for place in bytes.indices {
            var bench = SessionBench()
            let first = bench.receive(Array(bytes[..<place]))
            #expect(first.isEmpty)
            let login = try login(in: bench.receive(Array(bytes[place...])))
            #expect(login.credentials.androidID == SessionBench.androidID)
            #expect(login.credentials.securityToken == SessionBench.securityToken)
            #expect(!login.hasForeignName)
            #expect(bench.takeWritten().isEmpty)
        }
    }

    @Test func `answers a login with the bytes of the vectors`() throws {
        var bench = SessionBench()
        let login = try login(in: bench.receive([41] + MCSPacket.loginRequest(SessionBench.login()).frame))
        bench.admit(login)
        let expected = "2903130a086368726f6d652d3130014080d095ffbc31" + "070c10011a003a04080c12005001"
        #expect(Hex.encode(bench.takeWritten()) == expected)
    }

    @Test func `names the messages that it has from the device, and its interval of heartbeats`() throws {
        var bench = SessionBench { $0.heartbeatInterval = .seconds(300) }
        let login = try login(in: bench.receive([41] + MCSPacket.loginRequest(SessionBench.login()).frame))
        bench.admit(login, holding: ["1001", "1002"])
        let packets = try bench.packets()
        guard case .loginResponse(let response) = packets.first else {
            Issue.record("no answer but \(packets)")
            return
        }
        #expect(response.heartbeatConfig == HeartbeatConfig(intervalMilliseconds: 300_000))
        #expect(response.error == nil)
        #expect(packets.last == .iq(.selectiveAck(["1001", "1002"], lastStreamIDReceived: 1)))
    }

    @Test(arguments: [UInt8(38), 39, 40, 41, 42, 200]) func `answers with the client's version`(version: UInt8) throws {
        var bench = SessionBench()
        let login = try login(in: bench.receive([version] + MCSPacket.loginRequest(SessionBench.login()).frame))
        bench.admit(login)
        #expect(bench.takeWritten().prefix(2) == [version, MCSTag.loginResponse.rawValue])
    }

    @Test(arguments: [UInt8(0), 1, 16, 22, 37]) func `ends at once for other versions`(version: UInt8) {
        var bench = SessionBench()
        #expect(bench.receive([version]) == [.end(.versionNotServed(version))])
        #expect(bench.takeWritten().isEmpty)
    }

    @Test func `reads what follows a login only after the answer`() throws {
        var bench = SessionBench()
        let events = bench.receive(
            [41] + MCSPacket.loginRequest(SessionBench.login()).frame + MCSPacket.heartbeatPing(Heartbeat()).frame)
        #expect(bench.session.isWaiting)
        #expect(bench.session.unreadBytes == 2)
        bench.admit(try login(in: events))
        #expect(bench.pump().isEmpty)
        let packets = try bench.packets()
        #expect(packets.count == 3)
        #expect(packets.last == .heartbeatAck(Heartbeat(lastStreamIDReceived: 2)))
    }

    @Test(
        arguments: [
            .heartbeatPing(Heartbeat()), .heartbeatAck(Heartbeat()), .close, .iq(.selectiveAck([])),
            .upstream("1"),
        ] as [MCSPacket]) func `ends when the first packet is no login`(packet: MCSPacket)
    {
        var bench = SessionBench()
        #expect(bench.receive([41] + packet.frame) == [.end(.notALogin)])
        #expect(bench.takeWritten().isEmpty)
        #expect(bench.receive(packet).isEmpty)
    }

    @Test func `refuses a device that does not prove itself with an error and ends`() throws {
        var bench = SessionBench()
        let login = try login(in: bench.receive([41] + MCSPacket.loginRequest(SessionBench.login()).frame))
        var output: [UInt8] = []
        #expect(bench.session.refuse(login, into: &output) == .end(.refused))
        let expected = "2903260a086368726f6d652d311a1a089103121541757468656e7469636174696f6e206661696c6564"
        #expect(Hex.encode(output) == expected)
        #expect(bench.receive(.heartbeatPing(Heartbeat())).isEmpty)
    }

    static let faults: [(name: String, change: @Sendable (inout LoginRequest) -> Void, fault: DeviceLogin.Fault)] = [
        ("no software", { $0.id = "" }, .missingField),
        ("no domain", { $0.domain = "" }, .missingField),
        ("no user", { $0.user = "" }, .missingField),
        ("no resource", { $0.resource = "" }, .missingField),
        ("no token", { $0.authToken = "" }, .missingField),
        ("another domain", { $0.domain = "example.com" }, .wrongDomain),
        ("mail login", { $0.authService = 0 }, .wrongService),
        ("login of a service that does not exist", { $0.authService = 99 }, .wrongService),
        ("user that is another device", { $0.user = "5" }, .badDeviceID),
        ("device 0", { ($0.user, $0.resource) = ("0", "0") }, .badDeviceID),
        ("device in hexadecimal digits", { ($0.user, $0.resource) = ("3a1b", "3a1b") }, .badDeviceID),
        ("device with a plus", { ($0.user, $0.resource) = ("+5", "+5") }, .badDeviceID),
        ("device with a space", { ($0.user, $0.resource) = (" 5", " 5") }, .badDeviceID),
        (
            "device of 65 bits", { ($0.user, $0.resource) = ("18446744073709551616", "18446744073709551616") },
            .badDeviceID
        ),
        (
            "negative device of 65 bits", { ($0.user, $0.resource) = ("-9223372036854775809", "-9223372036854775809") },
            .badDeviceID
        ),
        ("only a minus", { ($0.user, $0.resource) = ("-", "-") }, .badDeviceID),
        ("token that is no number", { $0.authToken = "secret" }, .badToken),
    ]

    @Test(arguments: faults.indices) func `refuses a login of the wrong form`(row: Int) throws {
        let row = Self.faults[row]
        var bench = SessionBench()
        let events = bench.receive([41] + MCSPacket.loginRequest(SessionBench.login(row.change)).frame)
        #expect(events == [.end(.malformedLogin(row.fault))], "\(row.name)")
        guard case .loginResponse(let response) = try #require(try bench.packets().first) else {
            Issue.record("\(row.name): no answer")
            return
        }
        #expect(response.error?.code == 401)
    }

    static let forms: [(name: String, change: @Sendable (inout LoginRequest) -> Void, androidID: UInt64)] = [
        ("no service", { $0.authService = nil }, SessionBench.androidID),
        ("no name for itself", { $0.deviceID = "" }, SessionBench.androidID),
        ("largest", { ($0.user, $0.resource) = ("18446744073709551615", "18446744073709551615") }, .max),
        ("largest as signed", { ($0.user, $0.resource) = ("-1", "-1") }, .max),
        ("signed and unsigned", { ($0.user, $0.resource) = ("-1", "18446744073709551615") }, .max),
        ("smallest as signed", { ($0.user, $0.resource) = ("-9223372036854775808", "9223372036854775808") }, 1 << 63),
    ]

    @Test(arguments: forms.indices) func `takes every form of an id`(row: Int) throws {
        let row = Self.forms[row]
        let login = try DeviceLogin(SessionBench.login(row.change))
        #expect(login.credentials.androidID == row.androidID, "\(row.name)")
    }

    @Test func `notes a client that goes by the name of another device`() throws {
        #expect(try DeviceLogin(SessionBench.login { $0.deviceID = "android-1" }).hasForeignName)
        #expect(try !DeviceLogin(SessionBench.login { $0.deviceID = "" }).hasForeignName)
    }

    @Test func `hands on what the client has received`() throws {
        let login = try DeviceLogin(SessionBench.login { $0.receivedPersistentIDs = ["0:1%a", "0:2%b"] })
        #expect(login.receivedPersistentIDs == ["0:1%a", "0:2%b"])
    }

    @Test func `ends 30 seconds after the start without a login, however much of it came`() {
        var bench = SessionBench()
        #expect(bench.session.deadline == bench.now.adding(.seconds(30)))
        bench.receive([41, 2])
        #expect(bench.wait(.seconds(29)) == nil)
        #expect(bench.wait(.seconds(1)) == .end(.loginTimedOut))
        #expect(bench.session.deadline == nil)
    }

    @Test func `reads the login of a client that repeats its version`() throws {
        var bench = SessionBench()
        let ping = MCSPacket.heartbeatPing(Heartbeat()).frame
        let login = try login(
            in: bench.receive([41, 41] + MCSPacket.loginRequest(SessionBench.login()).frame + [41] + ping))
        bench.admit(login)
        #expect(bench.pump().isEmpty)
        #expect(bench.session.unknownPackets == 0)
        #expect(try bench.packets().last == .heartbeatAck(Heartbeat(lastStreamIDReceived: 2)))
    }

    @Test func `ends for a second login`() throws {
        var bench = try SessionBench.loggedIn()
        #expect(bench.receive(.loginRequest(SessionBench.login())) == [.end(.secondLogin)])
    }
}
