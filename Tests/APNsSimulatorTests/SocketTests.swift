import Crypto
import EventLoop
import Glibc
import HTTP2Wire
import HTTPSemantics
import JSON
import Testing
import Timekeeping
import Transport

@testable import APNsSimulator

@Suite struct `A sender on a socket` {
    @Test func `gets an accepted push answered by one HEADERS frame with its id`() async throws {
        let fixture = try Fixture()
        let sender = try fixture.sender()
        let id = "7a9c1f0e-3b52-4d8a-9c11-0a1b2c3d4e5f"
        let answer = await sender.send(fixture.fields(["apns-id": id]), body: Fixture.payload)
        #expect(answer.status == 200)
        #expect(answer.body == "")
        #expect(answer.fields["apns-id"] == id)
        #expect(answer.fields["apns-unique-id"] != nil)
        #expect(answer.fields["content-type"] == nil)
        #expect(sender.seen.dataFrames == 0)
        #expect(fixture.device.deliveries().map(\.push.id) == [id])
        sender.close()
    }

    @Test func `gets an error as HEADERS and one DATA frame, with an id`() async throws {
        let fixture = try Fixture()
        let sender = try fixture.sender()
        let answer = await sender.send(fixture.fields(token: "zz"), body: Fixture.payload)
        #expect(answer.status == 400)
        #expect(answer.body == #"{"reason":"BadDeviceToken"}"#)
        #expect(answer.fields["content-type"] == "application/json")
        #expect(PushHeaders.isUUID(answer.fields["apns-id"] ?? ""))
        #expect(sender.seen.dataFrames == 1)
        sender.close()
    }

    @Test func `gets the time of an uninstallation in milliseconds`() async throws {
        let fixture = try Fixture()
        fixture.device.uninstall(bundleID: Fixture.bundleID)
        let sender = try fixture.sender()
        let answer = await sender.send(fixture.fields(), body: Fixture.payload)
        #expect(answer.status == 410)
        #expect(answer.body == #"{"reason":"Unregistered","timestamp":1800000000000}"#)
        sender.close()
    }

    @Test func `may open one stream until it has shown a valid token`() async throws {
        let fixture = try Fixture()
        let sender = try fixture.sender()
        await sender.wait { !$0.streamLimits.isEmpty }
        #expect(sender.seen.streamLimits == [1])
        let wrong = await sender.send(fixture.fields(authorization: "bearer x"), body: Fixture.payload)
        #expect(wrong.status == 403)
        #expect(wrong.body == #"{"reason":"InvalidProviderToken"}"#)
        #expect(sender.seen.streamLimits == [1])
        let right = await sender.send(fixture.fields(), body: Fixture.payload)
        #expect(right.status == 200)
        #expect(sender.seen.streamLimits == [1, 1000])
        sender.close()
    }

    @Test func `may have many streams afterwards`() async throws {
        let fixture = try Fixture()
        let sender = try fixture.sender()
        _ = await sender.send(fixture.fields(), body: Fixture.payload)
        let statuses = await withTaskGroup(of: Int?.self) { group in
            let fields = fixture.fields()
            for _ in 0..<200 { group.addTask { await sender.send(fields, body: Fixture.payload).status } }
            return await group.reduce(into: [Int?]()) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 200))
        #expect(fixture.device.deliveries().map(\.sequence) == Array(1...201))
        sender.close()
    }

    @Test func `needs no ALPN, but must not ask for another protocol`() async throws {
        let fixture = try Fixture()
        let plain = try fixture.sender(protocols: [])
        #expect(await plain.send(fixture.fields(), body: Fixture.payload).status == 200)
        let old = try fixture.sender(protocols: ["http/1.1"])
        await old.wait { $0.closeReason != nil }
        #expect(await old.send(fixture.fields()) == .connectionLost)
        plain.close()
    }

    @Test func `may name the server in the host header`() async throws {
        let fixture = try Fixture()
        let sender = try fixture.sender()
        let fields = fixture.fields([":authority": nil, "host": "api.sandbox.push.apple.com"])
        #expect(await sender.send(fields, body: Fixture.payload).status == 200)
        sender.close()
    }

    @Test func `is answered although its body is far too large`() async throws {
        let fixture = try Fixture()
        let sender = try fixture.sender()
        let answer = await sender.send(fixture.fields(), body: Array(repeating: 0x20, count: 300_000))
        #expect(answer.status == 413)
        #expect(fixture.simulator.requests.first?.body.count == 65_536)
        sender.close()
    }

    @Test func `may use a certificate instead of tokens`() async throws {
        let fixture = try Fixture()
        let now = SystemClock().now()
        let validity = now.adding(seconds: -60)...now.adding(seconds: 3600)
        let authority = try CertificateAuthority.generate(name: "Test", validity: validity)
        let topics = ApplePushTopics([.init(name: Fixture.bundleID, kinds: ["app"])])
        let certified = try authority.issueClient(
            subject: DistinguishedName(commonName: "Apple Push Services"), validity: validity,
            extensions: [topics.certificateExtension])
        let identity = TLSIdentity(
            certificateChainPEM: Array(certified.certificatePEM.utf8), privateKeyPEM: Array(certified.keyPEM.utf8))
        let sender = try fixture.sender(identity: identity)
        await sender.wait { !$0.streamLimits.isEmpty }
        #expect(sender.seen.streamLimits == [1000])
        let fields = fixture.fields(["authorization": nil])
        #expect(await sender.send(fields, body: Fixture.payload).status == 200)
        sender.close()

        let fingerprint = try #require(certified.chain.first?.fingerprint)
        fixture.simulator.register(
            ClientCertificate(topics: [Fixture.bundleID], environments: [.production]), fingerprint: fingerprint)
        let refused = try fixture.sender(identity: identity)
        await refused.wait { $0.closeReason != nil }
        #expect(refused.seen.goAways == [#"{"reason":"BadCertificateEnvironment"}"#])
        #expect(refused.seen.lastStreams == [0])
    }

    @Test func `is recorded line by line before its answer`() async throws {
        let path = "/tmp/apns-recording-\(getpid())-\(UInt64.random(in: 0...UInt64.max)).jsonl"
        defer { unlink(path) }
        let fixture = try Fixture { $0.recordingPath = path }
        let sender = try fixture.sender()
        let body = Array(#"{"aps":{"alert":"Grüße \"\n"}}"#.utf8)
        #expect(await sender.send(fixture.fields(authorization: "bearer x"), body: body).status == 403)
        #expect(try Self.lines(of: path) == [])
        #expect(await sender.send(fixture.fields(), body: body).status == 200)
        #expect(try Self.lines(of: path).count == 1)
        fixture.simulator.add(FaultRule(.answer(ScriptedAnswer(status: 503)), count: 1))
        #expect(await sender.send(fixture.fields(), body: body).status == 503)
        let lines = try Self.lines(of: path)
        #expect(lines.count == 2)
        #expect(lines.first?["path"]?.string == "/3/device/" + fixture.token)
        #expect(lines.first?["headers"]?["apns-push-type"]?.string == "alert")
        #expect(lines.first?["body"]?.string == String(decoding: body, as: UTF8.self))
        sender.close()
    }

    private static func lines(of path: String) throws -> [JSONValue] {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &buffer, buffer.count)
        return try buffer.prefix(max(0, count)).split(separator: UInt8(ascii: "\n")).map {
            try JSONValue(parsing: Array($0))
        }
    }

    @Test func `hears of its pushes through the device's stream, in order, early ones too`() async throws {
        let fixture = try Fixture()
        let sender = try fixture.sender()
        _ = await sender.send(fixture.fields(), body: Fixture.payload)
        var pushes = fixture.device.pushes().makeAsyncIterator()
        #expect(await pushes.next()?.sequence == 1)
        _ = await sender.send(fixture.fields(), body: Fixture.payload)
        #expect(await pushes.next()?.sequence == 2)
        fixture.device.remove()
        #expect(await pushes.next() == nil)
        sender.close()
    }

    @Test func `is told GOAWAY when the simulator stops`() async throws {
        let fixture = try Fixture()
        let sender = try fixture.sender()
        _ = await sender.send(fixture.fields(), body: Fixture.payload)
        fixture.simulator.stop()
        await sender.wait { $0.closeReason != nil }
        #expect(sender.seen.goAways == [#"{"reason":"Shutdown"}"#])
    }
}
