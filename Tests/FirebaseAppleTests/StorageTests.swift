import FirebasePlatform
import Testing

@testable import FirebaseApple

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct `Storage` {
    @Test func `tells what is not there from what cannot be read`() throws {
        #expect(try KeychainOutcome.isFound(0))
        #expect(try !KeychainOutcome.isFound(-25300))
        #expect(throws: SecureStoreError.interactionNotAllowed) { try KeychainOutcome.isFound(-25308) }
        #expect(throws: SecureStoreError.missingEntitlement) { try KeychainOutcome.isFound(-34018) }
        #expect(throws: SecureStoreError(status: -25299)) { try KeychainOutcome.isFound(-25299) }
    }

    private func withFiles(_ body: (SupportFiles) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("support-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(SupportFiles(folder: folder))
    }

    @Test func `keeps files in folders that it makes`() throws {
        try withFiles { files in
            #expect(try files.read("Google/FirebaseMessaging/a.json") == nil)
            try files.write([1, 2, 3], to: "Google/FirebaseMessaging/a.json")
            try files.write([4], to: "Google/FirebaseMessaging/a.json")
            #expect(try files.read("Google/FirebaseMessaging/a.json") == [4])
            try files.remove("Google/FirebaseMessaging/a.json")
            try files.remove("Google/FirebaseMessaging/a.json")
            #expect(try files.read("Google/FirebaseMessaging/a.json") == nil)
        }
    }

    @Test(arguments: ["", "/etc/passwd", "../a", "a/../../b", "a//b", "./a", "a/"])
    func `refuses paths that leave its folder`(path: String) throws {
        try withFiles { files in
            #expect(throws: FileStoreError.self) { try files.write([1], to: path) }
            #expect(throws: FileStoreError.self) { try files.read(path) }
            #expect(throws: FileStoreError.self) { try files.remove(path) }
        }
    }

    @Test func `says what went wrong`() throws {
        try withFiles { files in
            try files.write([1], to: "folder/file")
            #expect(throws: FileStoreError.self) { try files.read("folder") }
            #expect(throws: FileStoreError.self) { try files.write([1], to: "folder") }
        }
    }
}
