import HTTPSemantics
import Testing

@Suite struct `The address of a client behind proxies` {
    static let rows: [(trusted: [String], peer: String, forwarded: [String], client: String)] = [
        ([], "127.0.0.1", ["198.51.100.7"], "127.0.0.1"),
        (["127.0.0.1"], "127.0.0.1", [], "127.0.0.1"),
        (["127.0.0.1"], "127.0.0.1", ["198.51.100.7"], "198.51.100.7"),
        (["127.0.0.1"], "127.0.0.2", ["198.51.100.7"], "127.0.0.2"),
        // What the client wrote itself comes first.
        (["127.0.0.1"], "127.0.0.1", ["192.0.2.1, 198.51.100.7"], "198.51.100.7"),
        (["127.0.0.1"], "127.0.0.1", ["127.0.0.1, 198.51.100.7"], "198.51.100.7"),
        (["127.0.0.1", "10.0.0.0/8"], "127.0.0.1", ["192.0.2.1, 198.51.100.7, 10.1.2.3"], "198.51.100.7"),
        (["127.0.0.1", "10.0.0.0/8"], "127.0.0.1", ["192.0.2.1 ,198.51.100.7", " 10.1.2.3 "], "198.51.100.7"),
        (["127.0.0.1", "10.0.0.0/8"], "127.0.0.1", ["10.1.1.1, 10.2.2.2"], "10.1.1.1"),
        (["127.0.0.1"], "127.0.0.1", ["198.51.100.7:4711"], "198.51.100.7"),
        (["127.0.0.1"], "127.0.0.1", ["[2001:db8::7]:4711"], "2001:db8::7"),
        (["127.0.0.1"], "127.0.0.1", ["2001:db8::7"], "2001:db8::7"),
        (["127.0.0.1"], "::ffff:127.0.0.1", ["2001:db8::7"], "2001:db8::7"),
        (["::ffff:127.0.0.1"], "127.0.0.1", ["2001:db8::7"], "2001:db8::7"),
        (["2001:db8::/32"], "2001:db8:9::1", ["198.51.100.7"], "198.51.100.7"),
        (["2001:db8::/32"], "2001:db9::1", ["198.51.100.7"], "2001:db9::1"),
        // A block of one family holds no address of the other.
        (["0.0.0.0/0"], "::1", ["198.51.100.7"], "::1"),
        (["::/0"], "127.0.0.1", ["198.51.100.7"], "127.0.0.1"),
        // No address: neither it nor what comes before it is believed.
        (["127.0.0.1"], "127.0.0.1", ["198.51.100.7, unknown"], "127.0.0.1"),
        (["127.0.0.1"], "127.0.0.1", ["198.51.100.7,"], "127.0.0.1"),
        (["127.0.0.1"], "127.0.0.1", ["_hidden"], "127.0.0.1"),
        (["127.0.0.1"], "127.0.0.1", ["[2001:db8::7"], "2001:db8::7"),
        (["127.0.0.1"], "127.0.0.1", ["1.2.3"], "127.0.0.1"),
        (["127.0.0.1"], "", ["198.51.100.7"], ""),
    ]

    @Test(arguments: rows.indices) func `is what the last trusted proxy saw`(row: Int) throws {
        let (trusted, peer, forwarded, client) = Self.rows[row]
        let proxies = try #require(TrustedProxies(trusted))
        let head = HTTPRequestHead(
            method: "GET", target: "/", fields: HTTPFields(forwarded.map { ("x-forwarded-for", $0) }))
        #expect(proxies.client(of: HTTPRequest(head: head, peerAddress: peer)) == client)
    }

    @Test func `is looked for among thirty-two proxies`() throws {
        let proxies = try #require(TrustedProxies(["127.0.0.1"]))
        let list = (["198.51.100.7"] + Array(repeating: "127.0.0.1", count: 10_000)).joined(separator: ", ")
        let head = HTTPRequestHead(method: "GET", target: "/", fields: HTTPFields([("x-forwarded-for", list)]))
        #expect(proxies.client(of: HTTPRequest(head: head, peerAddress: "127.0.0.1")) == "127.0.0.1")
    }

    @Test(
        arguments: [
            "", "localhost", "127.0.0.1/", "127.0.0.1/33", "127.0.0.1/-1", "127.0.0.1/8/8", "10.0.0/8", "::1/129",
            "127.0.0.1:80", "1.2.3.4/+8", "1.2.3.4/٣",
        ])
    func `is not asked of what is no address`(text: String) {
        #expect(TrustedProxies([text]) == nil)
    }
}
