import PushModel

extension [Message.DataEntry] {
    /// Each key once, at its first place, with its last value. In time proportional to the entries.
    func keepingLastValues() -> [Message.DataEntry] {
        guard hasRepeatedKey else { return self }
        var places: [[UInt8]: Int] = [:]
        var kept: [Message.DataEntry] = []
        for entry in self {
            let key = [UInt8](entry.key.utf8)
            if let place = places[key] {
                kept[place].value = entry.value
            } else {
                places[key] = kept.count
                kept.append(entry)
            }
        }
        return kept
    }

    private var hasRepeatedKey: Bool {
        guard count <= 12 else { return Set(map { [UInt8]($0.key.utf8) }).count < count }
        return indices.contains { later in
            self[..<later].contains { $0.key.utf8.elementsEqual(self[later].key.utf8) }
        }
    }
}

extension String {
    /// With `A` to `Z` in lower case and everything else untouched.
    func lowercasedASCII() -> String {
        let upper = UInt8(ascii: "A")...UInt8(ascii: "Z")
        guard utf8.contains(where: upper.contains) else { return self }
        return String(decoding: utf8.map { upper.contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
