import HTTP2Wire
import HTTPSemantics
import Testing

@Suite struct `HTTP/2 control frames` {
    private func connected(
        _ change: (inout HTTP2ServerConfiguration) -> Void = { _ in }
    ) -> Loopback {
        var configuration = HTTP2ServerConfiguration()
        change(&configuration)
        let pair = Loopback(server: configuration)
        pair.exchange()
        return pair
    }

    @Test func `a ping is answered by itself`() throws {
        let pair = connected()
        try pair.client.ping(opaque: 0x0102_0304_0506_0708)
        try pair.server.submitPing(opaque: 9)
        pair.exchange()
        #expect(pair.serverEvents.contains(.ping(opaque: 0x0102_0304_0506_0708)))
        #expect(pair.clientEvents.contains(.pingAcknowledged(opaque: 0x0102_0304_0506_0708)))
        #expect(pair.clientEvents.contains(.ping(opaque: 9)))
        #expect(pair.serverEvents.contains(.pingAcknowledged(opaque: 9)))
    }

    @Test func `a ping waits for its answer when the server says so`() throws {
        let pair = connected { $0.answersPings = false }
        try pair.client.ping(opaque: 7)
        pair.exchange()
        #expect(pair.serverEvents.contains(.ping(opaque: 7)))
        #expect(!pair.clientEvents.contains(.pingAcknowledged(opaque: 7)))
        try pair.server.acknowledgePing(opaque: 7)
        pair.exchange()
        #expect(pair.clientEvents.contains(.pingAcknowledged(opaque: 7)))
    }

    @Test func `a client's reset closes the stream on both ends`() throws {
        let pair = connected()
        let stream = try pair.push(body: [1])
        pair.exchange()
        try pair.client.reset(stream: stream)
        pair.exchange()
        #expect(pair.clientEvents.last == .closed(stream: stream, code: .cancel))
        #expect(pair.serverEvents.contains(.reset(stream: stream, code: .cancel)))
        #expect(pair.serverEvents.last == .closed(stream: stream, code: .cancel))
        #expect(throws: HTTP2Error.unknownStream) { try pair.server.submitResponse(stream: stream, status: 200) }
    }

    @Test func `a server's reset carries its code`() throws {
        let pair = connected()
        let stream = try pair.push()
        pair.exchange()
        try pair.server.submitReset(stream: stream, code: .enhanceYourCalm)
        pair.exchange()
        #expect(pair.clientEvents.last == .closed(stream: stream, code: .enhanceYourCalm))
        #expect(pair.serverEvents.last == .closed(stream: stream, code: .enhanceYourCalm))
    }

    @Test func `GOAWAY tells which requests were not processed, and why`() throws {
        let pair = connected()
        let first = try pair.push()
        let second = try pair.push()
        pair.exchange()
        let reason = Array("{\"reason\":\"Shutdown\"}".utf8)
        try pair.server.submitGoAway(lastStream: first, code: .noError, debugData: reason)
        pair.exchange()
        #expect(pair.clientEvents.contains(.goAway(lastStream: first, code: .noError, debugData: reason)))
        #expect(pair.clientEvents.last == .closed(stream: second, code: .refusedStream))
        #expect(pair.client.isGoingAway)
        #expect(!pair.client.canSubmit)
        #expect(!pair.client.isFinished)
        try pair.server.submitResponse(stream: first, status: 200)
        pair.exchange()
        #expect(pair.clientEvents.last == .closed(stream: first, code: .noError))
        #expect(pair.client.isFinished)
        #expect(pair.server.isFinished)
    }

    @Test func `a request after GOAWAY comes back refused`() throws {
        let pair = connected()
        try pair.server.submitGoAway()
        pair.exchange()
        do {
            let stream = try pair.push(body: [1, 2, 3])
            pair.exchange()
            #expect(pair.clientEvents.last == .closed(stream: stream, code: .refusedStream))
        } catch {
            #expect(error as? HTTP2Error == .connectionClosing)
        }
        #expect(pair.client.unsentBodyBytes == 0)
        #expect(pair.client.activeStreams == 0)
    }

    @Test func `two GOAWAYs in a row are both reported`() throws {
        let pair = connected()
        try pair.server.submitShutdownNotice()
        try pair.server.submitGoAway(code: .noError, debugData: [0x61])
        pair.exchange()
        #expect(pair.clientEvents.contains(.goAway(lastStream: .max, code: .noError, debugData: [])))
        #expect(pair.clientEvents.last == .goAway(lastStream: 0, code: .noError, debugData: [0x61]))
    }

    @Test func `a shutdown notice lets requests on their way count`() throws {
        let pair = connected()
        try pair.server.submitShutdownNotice()
        let stream = try pair.push()
        pair.toServer()
        pair.toClient()
        #expect(pair.requests.map(\.stream) == [stream])
        try pair.server.submitGoAway()
        try pair.server.submitResponse(stream: stream, status: 200)
        pair.exchange()
        #expect(pair.clientEvents.contains(.goAway(lastStream: stream, code: .noError, debugData: [])))
        #expect(pair.clientEvents.last == .closed(stream: stream, code: .noError))
    }

    @Test func `the client's GOAWAY reaches the server`() throws {
        let pair = connected()
        try pair.client.goAway()
        pair.exchange()
        #expect(pair.serverEvents.last == .goAway(lastStream: 0, code: .noError, debugData: []))
    }

    @Test func `a server that breaks the protocol is left`() {
        let client = HTTP2ClientSession()
        let bytes = Frame.settings().bytes + Frame.data(1, "a").bytes
        _ = bytes.withUnsafeBytes { client.receive($0) }
        var output: [UInt8] = []
        client.drainOutput(into: &output)
        #expect(client.isFinished)
    }

    @Test(arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "\u{15}\u{3}\u{3}\0\u{2}\u{2}\u{28}"])
    func `a server that speaks another protocol is left`(text: String) {
        let client = HTTP2ClientSession()
        _ = Array(text.utf8).withUnsafeBytes { client.receive($0) }
        var output: [UInt8] = []
        client.drainOutput(into: &output)
        #expect(client.isFinished || !client.peerSettingsReceived)
    }
}
