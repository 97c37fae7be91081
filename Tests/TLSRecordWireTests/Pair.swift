import PropertyTesting

@testable import TLSRecordWire

/// Both ends of a connection whose secrets are made up.
struct Pair {
    let client, server: TLSRecordLayer
    let ciphers = RecordCiphers()

    init(_ suite: TLSCipherSuite) {
        let secrets = [UInt8(3), 7].map { seed in (0..<suite.secretBytes).map { UInt8($0) &* 31 &+ seed } }
        client = Self.layer(suite, reading: secrets[0], writing: secrets[1])
        server = Self.layer(suite, reading: secrets[1], writing: secrets[0])
    }

    static func layer(_ suite: TLSCipherSuite, reading: [UInt8], writing: [UInt8]) -> TLSRecordLayer {
        reading.withUnsafeBytes { reading in
            writing.withUnsafeBytes { writing in
                guard let layer = TLSRecordLayer(suite: suite, readSecret: reading, writeSecret: writing) else {
                    preconditionFailure("secrets of a wrong length")
                }
                return layer
            }
        }
    }

    /// What a client sends.
    func record(_ content: [UInt8]) throws -> [UInt8] {
        try client.record(content, with: ciphers)
    }

    /// A record of the client's that the client would never send.
    func raw(_ inner: [UInt8]) -> [UInt8] {
        var header: [UInt8] = [23, 3, 3, UInt8((inner.count + 16) >> 8), UInt8((inner.count + 16) & 255)]
        var sealed = [UInt8](repeating: 0, count: inner.count + 16)
        let isSealed = inner.withUnsafeBytes { inner in
            sealed.withUnsafeMutableBufferPointer { output in
                guard let start = output.baseAddress else { return false }
                return ciphers.seal(
                    UnsafeRawBufferPointer(rebasing: inner.dropLast()), type: inner.last ?? 0, header: header,
                    keys: &client.writing, into: start)
            }
        }
        precondition(isSealed)
        header += sealed
        return header
    }

    func receive(_ bytes: [UInt8]) -> Outcome { server.receive(bytes, with: ciphers) }
}

struct Outcome {
    var content: [UInt8]
    var received: TLSRecordLayer.Received

    var end: TLSRecordLayer.End? { received.end }
}

extension TLSRecordLayer {
    func record(_ content: [UInt8], with ciphers: RecordCiphers) throws -> [UInt8] {
        var output = [UInt8](repeating: 0, count: content.count + Self.overheadBytes)
        let count = try content.withUnsafeBytes { content in
            try output.withUnsafeMutableBytes { try seal(content, with: ciphers, into: $0) }
        }
        return Array(output.prefix(count))
    }

    func receive(_ bytes: [UInt8], with ciphers: RecordCiphers) -> Outcome {
        var plain = [UInt8](repeating: 0xEE, count: bytes.count)
        let received = bytes.withUnsafeBytes { bytes in
            plain.withUnsafeMutableBytes { receive(bytes, into: $0, with: ciphers) }
        }
        return Outcome(content: Array(plain.prefix(received.produced)), received: received)
    }
}
