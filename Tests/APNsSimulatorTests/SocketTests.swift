import HTTP2Wire
import HTTPSemantics
import Testing

@testable import APNsSimulator

@Suite struct `A sender on a socket` {
    @Test func `gets an accepted push answered by one HEADERS frame with its id`() async throws {
        let fixture = try Fixture()
        let sender = try fixture.sender()
        let id = "7a9c1f0e-3b52-4d8a-9c11-0a1b2c3d4e5f"
        let answer = await sender.send(try fixture.fields(["apns-id": id]), body: Fixture.payload)
        #expect(answer.status == 200)
        #expect(answer.body == "")
        #expect(answer.fields["apns-id"] == id)
        #expect(answer.fields["apns-unique-id"] != nil)
        #expect(sender.seen.dataFrames == 0)
        #expect(fixture.device.deliveries().map(\.push.id) == [id])
        sender.close()
    }

    @Test func `may open one stream until it has shown a valid token`() async throws {
        let fixture = try Fixture()
        let sender = try fixture.sender()
        await sender.wait { !$0.streamLimits.isEmpty }
        #expect(sender.seen.streamLimits == [1])
        let wrong = await sender.send(try fixture.fields(authorization: "bearer x"), body: Fixture.payload)
        #expect(wrong.status == 403)
        #expect(wrong.body == #"{"reason":"InvalidProviderToken"}"#)
        #expect(sender.seen.streamLimits == [1])
        let right = await sender.send(try fixture.fields(), body: Fixture.payload)
        #expect(right.status == 200)
        #expect(sender.seen.streamLimits == [1, 1000])
        sender.close()
    }
}
