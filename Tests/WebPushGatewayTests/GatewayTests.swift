import Bytes
import Crypto
import HTTPSemantics
import JSON
import NetTesting
import PushCore
import PushModel
import Testing
import Timekeeping
import WebPushWire

@testable import WebPushGateway

@Suite struct `Pushes to other push services` {
    @Test func `arrive encrypted and signed, and nobody but the browser reads them`() async throws {
        try await withPushService { service in
            let push = service.push(
                payload: #"{"data":{"k":"v"}}"#, urgency: "high", topic: "news", lifetimeSeconds: 600)
            let answer = await service.send(push)
            #expect(answer == .accepted(providerID: "/message/1"))
            let request = try #require(service.requests.first)
            #expect(request.head.method == "POST" && request.head.target == "/push/abc?x=1")
            #expect(request.head.fields["ttl"] == "600")
            #expect(request.head.fields["urgency"] == "high")
            #expect(request.head.fields["topic"] == "news")
            #expect(request.head.fields["content-encoding"] == "aes128gcm")
            let content = EncryptedPushContent(encoding: .aes128gcm, body: request.body)
            #expect(String(decoding: try service.browser.open(content), as: UTF8.self) == #"{"data":{"k":"v"}}"#)
            let shown = try VAPIDCredentials(authorization: request.head.fields["authorization"], cryptoKey: nil)
            try shown.verify(now: service.clock.now()) { $0 == "https://127.0.0.1:\(service.port)" }
            #expect(shown.publicPoint == service.keys.publicKey(of: service.project.number))
            #expect(shown.claims["sub"] == "mailto:ops@example.com")
        }
    }

    @Test func `say how long they may be kept from now on`() async throws {
        try await withPushService { service in
            let push = service.push(lifetimeSeconds: 600)
            service.clock.set(service.clock.now().adding(seconds: 100))
            _ = await service.send(push)
            service.clock.set(service.clock.now().adding(seconds: 1_000))
            _ = await service.send(push)
            var now = service.push(lifetimeSeconds: 60)
            now.isOnlyForNow = true
            _ = await service.send(now)
            #expect(service.requests.map { $0.head.fields["ttl"] } == ["500", "0", "0"])
            #expect(service.requests.allSatisfy { $0.head.fields["urgency"] == nil && $0.head.fields["topic"] == nil })
        }
    }

    @Test func `are signed once for many, and anew before the signature grows old`() async throws {
        try await withPushService { service in
            for _ in 0..<3 { _ = await service.send(service.push()) }
            service.clock.set(service.clock.now().adding(seconds: 21_601))
            _ = await service.send(service.push())
            let signatures = service.requests.map { $0.head.fields["authorization"] }
            #expect(Set(signatures.prefix(3)).count == 1 && signatures[3] != signatures[0])
        }
    }

    @Test func `to each push service show a signature for it alone`() async throws {
        try await withPushService { service in
            _ = await service.send(service.push())
            _ = await service.send(service.push(), endpoint: "https://localhost:\(service.port)/push")
            let audiences = try service.requests.map {
                try VAPIDCredentials(authorization: $0.head.fields["authorization"], cryptoKey: nil).claims["aud"]?
                    .string
            }
            #expect(audiences == ["https://127.0.0.1:\(service.port)", "https://localhost:\(service.port)"])
        }
    }

    @Test func `are answered as the push service says`() async throws {
        let rows: [(Int, GatewayAnswer)] = [
            (202, .accepted(providerID: "/message/1")), (410, .unregistered(.gone, invalidAt: nil)),
            (503, .retry(afterMilliseconds: 7_000, .pushServiceUnavailable)),
        ]
        for (status, answer) in rows {
            try await withPushService { service in
                service.answer(status, [("location", "/message/1"), ("retry-after", "7")])
                #expect(await service.send(service.push()) == answer)
            }
        }
    }

    @Test func `do not follow redirections`() async throws {
        try await withPushService { service in
            for status in [301, 302, 303, 307, 308] {
                service.answer(status, [("location", "https://127.0.0.1:\(service.port)/elsewhere")])
                let answer = await service.send(service.push())
                guard case .rejected(let error) = answer else { return #expect(Bool(false)) }
                #expect(error.kind == .invalidArgument)
            }
            #expect(service.requests.count == 5 && service.requests.allSatisfy { $0.head.target == "/push/abc?x=1" })
        }
    }

    @Test func `are tried again after answers without an end, and without an answer`() async throws {
        try await withPushService { service in
            service.answer(201, [], body: [UInt8](repeating: 65, count: 1_000_000))
            #expect(await service.send(service.push()) == .retry(afterMilliseconds: 0, .pushServiceUnavailable))
        }
        try await withPushService { service in
            let closed = "https://127.0.0.1:1/push"
            #expect(
                await service.send(service.push(), endpoint: closed)
                    == .retry(afterMilliseconds: 0, .pushServiceUnavailable))
        }
    }
}

@Suite struct `Pushes that are not sent` {
    @Test func `lead to this machine, however its address is written`() async throws {
        try await withPushService(allowsLoopback: false) { service in
            let hosts = [
                "127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "127.1", "2130706433", "0x7f000001",
                "0177.0.0.1",
                "0.0.0.0", "0", "[::]", "169.254.169.254", "10.0.0.1", "[fd00:ec2::254]", "[64:ff9b::7f00:1]",
            ]
            for host in hosts {
                let answer = await service.send(service.push(), endpoint: "https://\(host):\(service.port)/push")
                #expect(answer == .rejected(.badSubscription), "\(host)")
            }
            #expect(service.requests.isEmpty && service.connections == 0)
        }
    }

    @Test func `have no endpoint or no keys`() async throws {
        try await withPushService { service in
            for endpoint in ["", "http://127.0.0.1:\(service.port)/", "https://a@127.0.0.1/", "file:///etc/passwd"] {
                #expect(await service.send(service.push(), endpoint: endpoint) == .rejected(.badSubscription))
            }
            var address = service.address()
            address.p256dh = "AAAA"
            #expect(await service.send(service.push(), to: address) == .rejected(.badSubscription))
            address = service.address()
            address.auth = ""
            #expect(await service.send(service.push(), to: address) == .rejected(.badSubscription))
            #expect(service.requests.isEmpty)
        }
    }

    @Test func `belong to a browser of this service that is gone`() async throws {
        try await withPushService { service in
            let endpoint = "https://127.0.0.1:\(service.port)/own"
            #expect(await service.send(service.push(), endpoint: endpoint) == .rejected(.unregistered))
            #expect(service.requests.isEmpty)
        }
    }

    @Test func `are of a demonstration project and would leave the machine`() async throws {
        try await withPushService(projectID: "demo-project") { service in
            #expect(await service.send(service.push()) == .accepted(providerID: "/message/1"))
            #expect(
                await service.send(service.push(), endpoint: "https://8.8.8.8/push") == .rejected(.badSubscription))
        }
    }

    @Test func `would need a key that only the app's server has`() async throws {
        let key = try P256PrivateKey.generate()
        try await withPushService { service in
            var address = service.address()
            address.applicationKey = Base64URL.encode(key.publicKey.x963)
            #expect(await service.send(service.push(), to: address) == .rejected(.foreignApplicationKey))
            #expect(service.requests.isEmpty)
        }
        try await withPushService(imported: ImportedPairs(pairs: [key])) { service in
            var address = service.address()
            address.applicationKey = Base64URL.encode(key.publicKey.x963)
            #expect(await service.send(service.push(), to: address) == .accepted(providerID: "/message/1"))
            let authorization = service.requests.first?.head.fields["authorization"]
            let shown = try VAPIDCredentials(authorization: authorization, cryptoKey: nil)
            #expect(shown.publicPoint == key.publicKey.x963)
        }
    }

    @Test func `are signed with the key that each browser subscribed with, whichever was imported since`() async throws
    {
        let pairs = [try P256PrivateKey.generate(), try P256PrivateKey.generate()]
        let derived = DerivedWebPushKeys(secret: Secret([1, 2, 3]))
        try await withPushService(imported: ImportedPairs(pairs: pairs)) { service in
            let own = derived.publicKey(of: service.project.number)
            #expect(service.keys.publicKey(of: service.project.number) == pairs[1].publicKey.x963)
            let keys = [(own, own), (pairs[0].publicKey.x963, pairs[0].publicKey.x963), ([], pairs[1].publicKey.x963)]
            for (subscribed, signing) in keys {
                var address = service.address()
                address.applicationKey = Base64URL.encode(subscribed)
                guard case .accepted = await service.send(service.push(), to: address) else {
                    Issue.record("not accepted")
                    continue
                }
                let authorization = service.requests.last?.head.fields["authorization"]
                let shown = try VAPIDCredentials(authorization: authorization, cryptoKey: nil)
                #expect(shown.publicPoint == signing)
            }
        }
    }

    @Test func `are longer than a push service takes`() async throws {
        try await withPushService { service in
            let answer = await service.send(service.push(payload: String(repeating: "x", count: 3_993)))
            guard case .rejected(let error) = answer else { return #expect(Bool(false)) }
            #expect(error.kind == .messageTooBig)
        }
    }

    @Test func `would be read by a service with another's certificate`() async throws {
        try await withPushService(authority: TestCertificates.otherAuthority) { service in
            #expect(await service.send(service.push()) == .retry(afterMilliseconds: 0, .pushServiceUnavailable))
            #expect(service.requests.isEmpty)
        }
    }
}

@Suite struct `Keys of projects for web push` {
    private let secret = Secret([UInt8](repeating: 3, count: 32))
    private let project = ProjectNumber(value: 123_456_789_012)

    @Test func `are the same after a restart and different for each project and server`() {
        let keys = DerivedWebPushKeys(secret: secret)
        let key = keys.publicKey(of: project)
        #expect(key.count == 65 && key.first == 4)
        #expect(keys.publicKey(of: project) == key)
        #expect(DerivedWebPushKeys(secret: secret).publicKey(of: project) == key)
        #expect(DerivedWebPushKeys(secret: Secret([1])).publicKey(of: project) != key)
        #expect(keys.publicKey(of: ProjectNumber(value: 123_456_789_013)) != key)
        // A change of the derivation would lose every subscription: this value never changes.
        #expect(
            Base64URL.encode(key)
                == "BHWUM1eECzmmUViH4uxR0ye3xgN7D3MzfJfzZa3W5zh6rwjUpQz-oLleE2G6i6WxeeoB7J4M1qQd7TBpm1plQzk")
    }

    @Test func `have their private halves here, and imported ones with them`() throws {
        let other = try P256PrivateKey.generate()
        let project = project
        let keys = DerivedWebPushKeys(secret: secret, imported: ImportedPairs(pairs: [other], owner: project))
        #expect(keys.publicKey(of: project) == other.publicKey.x963)
        let own = try #require(keys.privateKey(of: project, for: keys.derivedKey(of: project)))
        #expect(try P256PrivateKey(pem: own.reveal()).publicKey.x963 == keys.derivedKey(of: project))
        #expect(keys.privateKey(of: project, for: other.publicKey.x963)?.reveal() == other.pem)
        #expect(keys.privateKey(of: ProjectNumber(value: 1), for: other.publicKey.x963) == nil)
        #expect(keys.privateKey(of: ProjectNumber(value: 1), for: keys.derivedKey(of: project)) == nil)
        #expect(keys.privateKey(of: project, for: []) == nil)
    }
}

extension SendError {
    fileprivate static let gone = SendError(.unregistered, "Requested entity was not found.")
}
