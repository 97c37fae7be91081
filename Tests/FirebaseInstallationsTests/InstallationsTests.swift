import FirebaseCore
import FirebasePlatform
import Foundation
import JSON
import Testing

@testable import FirebaseInstallations

@Suite struct `Installation ids` {
    @Test func `17 bytes become 22 characters`() {
        #expect(InstallationID.make(bytes: Array(repeating: 0, count: 17)) == "cAAAAAAAAAAAAAAAAAAAAA")
        #expect(InstallationID.make(bytes: Array(repeating: 0xFF, count: 17)) == "f_____________________")
        let bytes: [UInt8] = [
            1, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 1, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 1,
        ]
        #expect(InstallationID.make(bytes: bytes) == "cSNFZ4mrze8BI0VniavN7w")
    }

    @Test func `every made id is valid`() {
        for seed in 0..<500 {
            let id = InstallationID.make(from: SeededRandom(seed: UInt64(seed)))
            #expect(InstallationID.isValid(id))
        }
    }

    @Test(arguments: [
        ("cAAAAAAAAAAAAAAAAAAAAA", true), ("f_____________________", true), ("cAAAAAAAAAA", true),
        ("f_________8", true), ("bAAAAAAAAAAAAAAAAAAAAA", false), ("gAAAAAAAAAAAAAAAAAAAAA", false),
        ("cAAAAAAAAAAAAAAAAAAAA", false), ("cAAAAAAAAAAAAAAAAAAAAAA", false), ("cAAAAAAAAAAAAAAAAAAA+A", false),
        ("cAAAAAAAAAAAAAAAAAAA=A", false), ("", false), ("cAAAAAAAAAAAAAAAAAAAé", false),
    ])
    func `valid ids have 22 or 11 characters of base64url`(text: String, isValid: Bool) {
        #expect(InstallationID.isValid(text) == isValid)
    }
}

@Suite struct `Stored installations` {
    @Test func `come back as they were`() {
        var item = InstallationsItem(id: "cAAAAAAAAAAAAAAAAAAAAA", iidDefaultToken: "old")
        #expect(InstallationsItem(stored: item.stored) == item)
        item.refreshToken = "refresh"
        item.authToken = .init(token: "auth", expirationDate: .init(timeIntervalSince1970: 1_700_000_000))
        #expect(InstallationsItem(stored: item.stored) == item)
    }

    @Test(arguments: [
        "", "{}", "[]", "null", #"{"firebaseInstallationID":"x","storageVersion":1}"#,
        #"{"firebaseInstallationID":"cAAAAAAAAAAAAAAAAAAAAA","storageVersion":2}"#,
        #"{"firebaseInstallationID":7,"storageVersion":1}"#,
    ])
    func `anything else is none`(text: String) {
        #expect(InstallationsItem(stored: Array(text.utf8)) == nil)
    }
}

@Suite struct `Waiting after failures` {
    let start = SteppedClock().now()

    @Test func `grows twofold with jitter up to half an hour`() {
        var backoff = InstallationsBackoff()
        for expected in [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1800, 1800] as [Double] {
            backoff.failed(.recoverable, at: start, jitterMilliseconds: 0)
            #expect(backoff.nextAllowed == start + expected)
        }
        backoff.succeeded()
        backoff.failed(.recoverable, at: start, jitterMilliseconds: 999)
        #expect(backoff.nextAllowed == start + 2.999)
    }

    @Test func `is a day after a wrong configuration`() {
        var backoff = InstallationsBackoff()
        #expect(backoff.allowsRequest(at: start))
        backoff.failed(.configuration, at: start, jitterMilliseconds: 5)
        #expect(!backoff.allowsRequest(at: start + 86399))
        #expect(backoff.allowsRequest(at: start + 86400))
    }
}

@Suite struct `Replies of the Installations API` {
    let now = SteppedClock().now()
    let item = InstallationsItem(id: "cAAAAAAAAAAAAAAAAAAAAA")

    @Test func `the server's id is taken`() throws {
        let body = #"{"fid":"dBBBBBBBBBBBBBBBBBBBBB","refreshToken":"r","authToken":{"token":"t","expiresIn":"60s"}}"#
        let registered = try InstallationsReplies.created(Array(body.utf8), for: item, at: now)
        #expect(registered.id == "dBBBBBBBBBBBBBBBBBBBBB")
        #expect(registered.refreshToken == "r")
        #expect(registered.authToken == .init(token: "t", expirationDate: now + 60))
    }

    @Test func `a reply without an id keeps the one sent`() throws {
        let body = #"{"refreshToken":"r","authToken":{"token":"t","expiresIn":"60s"}}"#
        #expect(try InstallationsReplies.created(Array(body.utf8), for: item, at: now).id == item.id)
    }

    @Test(arguments: [
        "", "x", "{}", "[]", #"{"fid":"x","refreshToken":"r","authToken":{"token":"t","expiresIn":"60s"}}"#,
        #"{"refreshToken":"","authToken":{"token":"t","expiresIn":"60s"}}"#,
        #"{"refreshToken":"r\r\nX: y","authToken":{"token":"t","expiresIn":"60s"}}"#,
        #"{"refreshToken":"r","authToken":{"token":"","expiresIn":"60s"}}"#,
        #"{"refreshToken":"r","authToken":{"token":"t","expiresIn":60}}"#,
        #"{"refreshToken":"r","authToken":{"token":"t","expiresIn":"60"}}"#,
        #"{"refreshToken":"r","authToken":"t"}"#, #"{"refreshToken":"r"}"#, #"{"refreshToken":7}"#,
    ])
    func `an incomplete reply is refused whole`(body: String) {
        #expect(throws: InstallationsErrorCode.self) {
            try InstallationsReplies.created(Array(body.utf8), for: item, at: now)
        }
    }

    @Test(
        arguments: [
            ("604800s", 604_800), ("0s", 0), ("s", nil), ("1.5s", nil), ("-1s", nil), ("+1s", nil), ("1", nil),
            ("", nil),
            ("99999999999999999999s", nil), ("10 s", nil),
        ] as [(String, Int64?)])
    func `lifetimes are digits and an s`(text: String, seconds: Int64?) {
        #expect(InstallationsReplies.seconds(of: text) == seconds)
    }

    @Test func `random bytes never trap`() {
        for seed in 0..<2000 {
            let bytes = SeededRandom(seed: UInt64(seed)).bytes(seed % 64)
            _ = try? InstallationsReplies.created(bytes, for: item, at: now)
            _ = InstallationsItem(stored: bytes)
        }
    }
}
