/// Options of a load, as `--name value`.
struct BenchArguments: Sendable {
    private var values: [String: String] = [:]

    init(_ words: some Sequence<String>) throws {
        var name: String?
        for word in words {
            if let option = name {
                values[option] = word
                name = nil
            } else if word.hasPrefix("--") {
                name = String(word.dropFirst(2))
            } else {
                throw BenchFailure.usage("“\(word)” is no option; options are --name value.")
            }
        }
        if let name { throw BenchFailure.usage("--\(name) needs a value.") }
    }

    func text(_ name: String) throws -> String {
        guard let text = values[name] else { throw BenchFailure.usage("--\(name) is missing.") }
        return text
    }

    func text(_ name: String, default standard: String) -> String {
        values[name] ?? standard
    }

    /// A whole number that is not negative.
    func count(_ name: String, default standard: Int) throws -> Int {
        guard let text = values[name] else { return standard }
        guard let number = Int(text), number >= 0 else { throw BenchFailure.usage("--\(name) must be a number.") }
        return number
    }

    /// `HOST:PORT`.
    func address(_ name: String) throws -> (host: String, port: UInt16) {
        let text = try text(name)
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw BenchFailure.usage("--\(name) must be HOST:PORT.")
        }
        return (String(text[..<colon]), port)
    }
}
