import PushCore

extension Sealing {
    /// Operations that are repeatable and weak: for tests only.
    static let weak = Sealing(
        key: [1], mac: { testHash(Array("mac".utf8) + $0 + [0] + $1) }, digest: { testHash($0) },
        isEqual: { $0 == $1 }, random: { Array(repeating: 7, count: $0) })
}
