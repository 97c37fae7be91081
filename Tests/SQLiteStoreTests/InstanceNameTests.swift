import Bytes
import PropertyTesting
import PushCore
import PushModel
import Testing

@testable import SQLiteStore

@Suite struct `Names of app instances` {
    static let names: [(text: String, storedBytes: Int?)] = [
        ("cAAAAAAAAAAAAAAAAAAAAA", 17), ("f_____________________", 17), ("d-_AZaz09-_AZaz09-_AZa", 17),
        ("cAAAAAAAAAA", 9), ("f_________8", 9), ("f__________", 9), ("", nil), ("x", nil), ("gAAAAAAAAAA", nil),
        ("cAAAAAAAAAAAAAAAAAAAA", nil), ("cAAAAAAAAAAAAAAAAAAA+/", nil), ("c=AAAAAAAAA", nil), ("d7é", nil),
    ]
    @Test(arguments: names) func `come back as they were, FIDs as their bits`(name: (text: String, storedBytes: Int?))
        throws
    {
        #expect(InstanceName(name.text).packed?.count == name.storedBytes)
        #expect(try stored(name.text) == name.text)
    }

    @Test func `are kept apart whatever the characters`() throws {
        var random = SeededGenerator(seed: 3)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var packed: Set<[UInt8]> = []
        for round in 0..<500 {
            let tail = (0..<(round.isMultiple(of: 2) ? 21 : 10)).map { _ in alphabet[Int(random.next() % 64)] }
            let text = "e" + String(tail)
            packed.insert(try #require(InstanceName(text).packed))
            #expect(try stored(text) == text)
        }
        #expect(packed.count == 500)
    }

    private func stored(_ text: String) throws -> String? {
        let connection = try Connection(path: ":memory:", access: .readWrite)
        return try connection.first("SELECT ?", InstanceName(text)) { InstanceName($0, column: 0).text }
    }
}
