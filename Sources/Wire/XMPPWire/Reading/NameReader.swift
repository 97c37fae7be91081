import Glibc

/// Takes expat's names apart. Namespaces repeat, so the last ones are shared and not copied.
struct NameReader {
    private static let remembered = 4
    private var namespaces: [String] = []

    /// The namespace, empty for none, and the local part.
    mutating func name(_ text: UnsafePointer<CChar>) -> (namespace: String, local: String) {
        guard let end = strchr(text, Int32(StanzaBuilder.separator)) else { return ("", String(cString: text)) }
        let count = UnsafePointer(end) - text
        let namespace = text.withMemoryRebound(to: UInt8.self, capacity: count) {
            shared(UnsafeBufferPointer(start: $0, count: count))
        }
        return (namespace, String(cString: end + 1))
    }

    /// The attributes of a list that ends with `nil`; `nil` if there are more than allowed.
    mutating func attributes(
        _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?, atMost limit: Int
    ) -> [XMLAttribute]? {
        guard let list else { return [] }
        var attributes: [XMLAttribute] = []
        var place = 0
        while let text = list[place], let value = list[place + 1] {
            guard attributes.count < limit else { return nil }
            let (namespace, local) = name(text)
            attributes.append(XMLAttribute(local, in: namespace, String(cString: value)))
            place += 2
        }
        return attributes
    }

    private mutating func shared(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if let known = namespaces.first(where: { $0.utf8.elementsEqual(bytes) }) { return known }
        let namespace = String(decoding: bytes, as: UTF8.self)
        if namespaces.count == Self.remembered { namespaces.removeLast() }
        namespaces.insert(namespace, at: 0)
        return namespace
    }
}
