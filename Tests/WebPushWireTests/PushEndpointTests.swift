import PropertyTesting
import Testing
import WebPushWire

@Suite struct `Endpoints of push services` {
    struct Row: Sendable {
        var text: String
        var origin: String
        var port: UInt16 = 443
        var target: String
        var last: String
    }

    static let rows = [
        Row(
            text: "https://fcm.googleapis.com/fcm/send/abc:APA91b", origin: "https://fcm.googleapis.com",
            target: "/fcm/send/abc:APA91b", last: "abc:APA91b"),
        Row(
            text: "https://updates.push.services.mozilla.com/wpush/v2/gAAA?x=/y",
            origin: "https://updates.push.services.mozilla.com", target: "/wpush/v2/gAAA?x=/y", last: "gAAA"),
        Row(
            text: "https://wns2-par02p.notify.windows.com/w/?token=BQY%3d",
            origin: "https://wns2-par02p.notify.windows.com",
            target: "/w/?token=BQY%3d", last: ""),
        Row(text: "HTTPS://Push.Example.COM:443", origin: "https://push.example.com", target: "/", last: ""),
        Row(text: "https://push.example.com?x", origin: "https://push.example.com", target: "/?x", last: ""),
        Row(
            text: "https://127.0.0.1:9600/wp/t", origin: "https://127.0.0.1:9600", port: 9_600, target: "/wp/t",
            last: "t"),
        Row(
            text: "https://[2001:DB8::1]:444/a", origin: "https://[2001:db8::1]:444", port: 444, target: "/a", last: "a"
        ),
        Row(text: "https://[::ffff:10.0.0.1]/", origin: "https://[::ffff:10.0.0.1]", target: "/", last: ""),
    ]

    @Test(arguments: rows) func `are taken apart`(row: Row) throws {
        let endpoint = try #require(PushEndpoint(row.text))
        #expect(endpoint.origin == row.origin)
        #expect(endpoint.authority == String(row.origin.dropFirst("https://".count)))
        #expect(endpoint.port == row.port)
        #expect(endpoint.target == row.target)
        #expect(endpoint.lastPathSegment == row.last)
    }

    @Test(arguments: [
        "", "https://", "https:///a", "http://push.example.com/a", "ftp://a/b", "file:///etc/passwd", "gopher://a/b",
        "//push.example.com/a", "push.example.com/a", "https:/push.example.com/a", "https://user@host/a",
        "https://user:pass@host/a", "https://host@/a", "https://host:0/a", "https://host:65536/a", "https://host:/a",
        "https://host:+80/a", "https://host:8a/a", "https://host:80:80/a", "https://a..b/", "https://.a/",
        "https://a./",
        "https://-a.example/", "https://a-.example/", "https://a b/", "https://a/b c", "https://a/b\r\nHost: c",
        "https://a/\t",
        "https://a/#fragment", "https://ä.example/", "https://a/\u{e9}", "https://a%2fb/", "https://a\\b/",
        "https://[::1/a",
        "https://[]/a", "https://[::1]a/", "https://[::1]:x/", "https://[fe80::1%25eth0]/", "https://[g::1]/",
        "https://::1/",
        "https://a/<b>", "https://a/\"b", "https://a/{b}", " https://a/", "https://a/ ", "https://a/\u{0}",
        "https://" + String(repeating: "a", count: 64) + ".example/",
        "https://" + String(repeating: "abc.", count: 70) + "example/",
        "https://a/" + String(repeating: "b", count: 2_048),
    ]) func `of any other form are refused`(text: String) {
        #expect(PushEndpoint(text) == nil)
    }

    @Test func `survive any damage, and what is taken reads the same again`() {
        var random = SeededGenerator(seed: 8030)
        let alphabet = Array("https://[]:@?#.%-09a".utf8)
        for round in 0..<20_000 {
            let original = Array(Self.rows[round % Self.rows.count].text.utf8)
            let text = String(decoding: random.mutate(original, alphabet: alphabet), as: UTF8.self)
            guard let endpoint = PushEndpoint(text) else { continue }
            let again = PushEndpoint(endpoint.origin + endpoint.target)
            #expect(again == endpoint, "\(text)")
        }
    }
}
