/// What an APNs certificate may push to. Source: the extensions 1.2.840.113635.100.6.3.6 and .4 of Apple's certificates.
public struct ApplePushTopics: Sendable, Equatable {
    /// A topic and what it is for: `app`, `voip`, `complication`…
    public struct Topic: Sendable, Equatable {
        public var name: String
        public var kinds: [String]

        public init(name: String, kinds: [String]) {
            self.name = name
            self.kinds = kinds
        }
    }

    public var topics: [Topic]

    public init(_ topics: [Topic]) {
        self.topics = topics
    }

    /// The extension as Apple writes it: each topic followed by the list of its kinds.
    public var certificateExtension: X509Certificate.Extension {
        let elements = topics.flatMap { topic in
            [DER.utf8String(topic.name), DER.sequence(topic.kinds.map { DER.utf8String($0) })]
        }
        return .init(.applePushTopics, value: DER.sequence(elements))
    }
}

extension X509Certificate {
    /// The topics of the certificate: those its extensions list, else the UID of the subject; empty when it has none.
    public var applePushTopics: [ApplePushTopics.Topic] {
        if let value = value(of: .applePushTopics) { return ApplePushTopics.read(value, defaultKind: nil) }
        if let value = value(of: .appleVoIPTopics) { return ApplePushTopics.read(value, defaultKind: "voip") }
        return subject.userID.map { [ApplePushTopics.Topic(name: $0, kinds: ["app"])] } ?? []
    }
}

extension ApplePushTopics {
    /// Reads a list of names, each with an optional list of kinds after it, or one bare name.
    fileprivate static func read(_ value: [UInt8], defaultKind: String?) -> [Topic] {
        var outer = DERReader(value)
        guard let element = try? outer.next() else { return [] }
        let defaults = defaultKind.map { [$0] } ?? []
        guard element.tag == .sequence else {
            return element.text.map { [Topic(name: $0, kinds: defaults)] } ?? []
        }
        var topics: [Topic] = []
        var elements = element.reader
        while let element = try? elements.next() {
            if let name = element.text {
                topics.append(Topic(name: name, kinds: defaults))
            } else if element.tag == .sequence, !topics.isEmpty {
                topics[topics.count - 1].kinds = texts(in: element)
            }
        }
        return topics
    }

    private static func texts(in element: DERReader.Element) -> [String] {
        var reader = element.reader
        var texts: [String] = []
        while let element = try? reader.next() {
            if let text = element.text { texts.append(text) }
        }
        return texts
    }
}
