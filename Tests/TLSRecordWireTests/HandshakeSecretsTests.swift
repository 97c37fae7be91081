import Testing

@testable import TLSRecordWire

@Suite struct `Secrets of a handshake` {
    private func secrets(_ lines: String...) -> HandshakeSecrets {
        var secrets = HandshakeSecrets()
        for line in lines { Array(line.utf8).withUnsafeBufferPointer { secrets.take($0) } }
        return secrets
    }

    @Test func `are read from the lines of a key log`() {
        let secrets = secrets(
            "CLIENT_HANDSHAKE_TRAFFIC_SECRET 00 0102", "CLIENT_TRAFFIC_SECRET_0 00ff a0B1c2",
            "SERVER_TRAFFIC_SECRET_0 00ff 000fFF", "EXPORTER_SECRET 00ff 77")
        #expect(secrets.client == [0xA0, 0xB1, 0xC2])
        #expect(secrets.server == [0, 15, 255])
    }

    @Test(
        arguments: [
            "", " ", "CLIENT_TRAFFIC_SECRET_0", "CLIENT_TRAFFIC_SECRET_0 00", "CLIENT_TRAFFIC_SECRET_0 00 abc",
            "CLIENT_TRAFFIC_SECRET_0 00 xy", "CLIENT_TRAFFIC_SECRET_1 00 ab", "client_traffic_secret_0 00 ab",
            "CLIENT_TRAFFIC_SECRET_0 00 ab cd", "CLIENT_TRAFFIC_SECRET_0 00 " + String(repeating: "ab", count: 49),
        ])
    func `are not read from anything else`(line: String) {
        #expect(secrets(line).client.isEmpty)
    }

    @Test func `are gone when they were erased`() {
        var secrets = secrets("CLIENT_TRAFFIC_SECRET_0 00 ab", "SERVER_TRAFFIC_SECRET_0 00 cd")
        secrets.erase()
        #expect(secrets.client.isEmpty && secrets.server.isEmpty)
    }
}
