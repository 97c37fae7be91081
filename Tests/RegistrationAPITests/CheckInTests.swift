import Bytes
import Compression
import HTTPSemantics
import JSON
import ProtobufWire
import Testing

@testable import RegistrationAPI

@Suite struct `Check-in door` {
    /// A first check-in of a Python library: type 3, a Chrome build, version 3.
    static let firstRequest = "221660036a120803120c39342e302e343630362e353118017003b00100"

    @Test func `gives a first check-in in protobuf a pair that is not zero`() async throws {
        let world = try await DeviceWorld()
        let answer = await world.call(
            "POST", "/checkin", fields: [("content-type", "application/x-protobuf")],
            bytes: Hex.decode(Self.firstRequest) ?? [])
        #expect(answer.status == 200)
        let reply = try ReadReply(answer.body)
        #expect(reply.statsOK && reply.androidID != 0 && reply.securityToken != 0)
        #expect(reply.milliseconds == 1_700_000_000_000)
    }

    @Test func `keeps the pair of a device that comes again, and refuses one it never gave out`() async throws {
        let world = try await DeviceWorld()
        let (id, token) = await world.checkIn()
        var writer = ProtobufWriter()
        writer.write(id, field: 2)
        writer.writeFixed64(token, field: 13)
        let fields = [("content-type", "application/x-protobuf")]
        let again = await world.call("POST", "/checkin", fields: fields, bytes: writer.bytes)
        #expect(try ReadReply(again.body).androidID == id)
        var stranger = ProtobufWriter()
        stranger.write(id, field: 2)
        stranger.writeFixed64(token ^ 1, field: 13)
        #expect(await world.call("POST", "/checkin", fields: fields, bytes: stranger.bytes).status == 401)
    }

    @Test func `writes the ids as JSON numbers for the Apple SDK`() async throws {
        let world = try await DeviceWorld()
        let (id, token) = await world.checkIn()
        #expect((1...UInt64(Int64.max)).contains(id) && (1...UInt64(Int64.max)).contains(token))
        let again = await world.call(
            "POST", "/checkin", fields: [("content-type", "application/json")],
            body: #"{"id":\#(id),"security_token":\#(token)}"#)
        #expect(again.json["android_id"]?.uint64 == id)
        let stranger = await world.call(
            "POST", "/checkin", fields: [("content-type", "application/json")],
            body: #"{"id":\#(id),"security_token":\#(token ^ 1)}"#)
        #expect(stranger.status == 200)
        #expect(stranger.json["android_id"]?.uint64 != id)
    }

    @Test func `compresses the answer for clients that ask for it`() async throws {
        let world = try await DeviceWorld()
        let answer = await world.call(
            "POST", "/checkin",
            fields: [("content-type", "application/x-protobuffer"), ("accept-encoding", "gzip")],
            bytes: Hex.decode(Self.firstRequest) ?? [])
        #expect(answer.fields["content-encoding"] == "gzip")
        #expect(answer.fields["content-type"] == "application/x-protobuffer")
        let body = try Inflation.inflate(answer.body, format: .gzip, maximumBytes: 1000)
        #expect(try ReadReply(body).statsOK)
    }

    @Test(arguments: ["ff", "2216", "10", "226f", "0b0b0b", "10ffffffffffffffffffffff01"])
    func `answers bytes that are no message with 400`(hex: String) async throws {
        let world = try await DeviceWorld()
        let answer = await world.call(
            "POST", "/checkin", fields: [("content-type", "application/x-protobuf")], bytes: Hex.decode(hex) ?? [])
        #expect(answer.status == 400)
    }

    @Test(arguments: ["", "[]", "{", #"{"id":"x"}"#, #"{"id":1.5}"#, #"{"id":{}}"#, #"{"id":true}"#])
    func `answers JSON that is no check-in with 400`(body: String) async throws {
        let world = try await DeviceWorld()
        let answer = await world.call(
            "POST", "/checkin", fields: [("content-type", "application/json")], body: body)
        #expect(answer.status == 400)
    }
}

/// The fields of a check-in answer that clients read.
private struct ReadReply {
    var statsOK = false
    var milliseconds: Int64 = 0
    var androidID: UInt64 = 0
    var securityToken: UInt64 = 0

    init(_ bytes: [UInt8]) throws {
        var reader = ProtobufReader(bytes)
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 1: statsOK = try reader.readBool()
            case 3: milliseconds = try reader.readInt64()
            case 7: androidID = try reader.readFixed64()
            case 8: securityToken = try reader.readFixed64()
            default: try reader.skip()
            }
        }
    }
}
