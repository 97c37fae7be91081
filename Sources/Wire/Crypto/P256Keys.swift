/// A private key on the curve P-256: what APNs calls an authentication key (.p8).
public struct P256PrivateKey: Sendable {
    let handle: KeyHandle

    init(_ handle: KeyHandle) throws(KeyError) {
        guard handle.kind == .p256 else {
            throw .wrongAlgorithm(found: handle.kind.name, wanted: "EC P-256")
        }
        self.handle = handle
    }

    /// Reads PEM in any of the shapes of `PEM.blocks`; PKCS #8 or SEC 1.
    public init(pem: String) throws(KeyError) {
        try self.init(.privateKey(inPEM: pem))
    }

    /// Reads a file that holds PEM in any shape, or DER.
    public init(file bytes: [UInt8]) throws(KeyError) {
        try self.init(.privateKey(file: bytes))
    }

    public static func generate() throws(CryptoError) -> P256PrivateKey {
        do {
            return try P256PrivateKey(.generateP256())
        } catch let error as CryptoError {
            throw error
        } catch {
            throw .library("\(error)")
        }
    }

    public var publicKey: P256PublicKey { P256PublicKey(unchecked: handle) }

    /// PKCS #8, ending with a line end: the form of a .p8 file.
    public var pem: String { PEM.encode("PRIVATE KEY", handle.privateKeyDER) }

    /// - Returns: r and s, 32 bytes each: the `ES256` of RFC 7518 §3.4.
    public func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let der = try handle.sign(message)
        guard let raw = ECDSASignature.raw(fromDER: der) else { throw .library("malformed signature") }
        return raw
    }

    /// - Returns: The signature as certificates and `openssl dgst` write it.
    public func signDER(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        try handle.sign(message)
    }
}

/// A public key on the curve P-256.
public struct P256PublicKey: Sendable {
    /// The beginning of SubjectPublicKeyInfo for an uncompressed point of P-256. Source: RFC 5480 §2.
    private static let header: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    let handle: KeyHandle

    init(unchecked handle: KeyHandle) {
        self.handle = handle
    }

    init(_ handle: KeyHandle) throws(KeyError) {
        guard handle.kind == .p256 else {
            throw .wrongAlgorithm(found: handle.kind.name, wanted: "EC P-256")
        }
        self.handle = handle
    }

    /// - Parameter der: SubjectPublicKeyInfo.
    public init(der: [UInt8]) throws(KeyError) {
        guard let handle = KeyHandle(publicKeyDER: der) else { throw .damaged("public key") }
        try self.init(handle)
    }

    public init(pem: String) throws(KeyError) {
        try self.init(.publicKey(inPEM: pem))
    }

    /// - Parameter point: 65 bytes: 4, x, y. A point that is not on the curve is refused.
    public init(x963 point: [UInt8]) throws(KeyError) {
        guard point.count == 65, point[0] == 4 else { throw .damaged("public key") }
        try self.init(der: Self.header + point)
    }

    /// SubjectPublicKeyInfo.
    public var der: [UInt8] { handle.publicKeyDER }
    public var pem: String { PEM.encode("PUBLIC KEY", der) }

    /// The uncompressed point: 65 bytes.
    public var x963: [UInt8] { Array(der.suffix(65)) }

    /// - Parameter signature: r and s of 32 bytes each, or DER, which `openssl dgst` writes.
    public func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        if signature.count == ECDSASignature.rawByteCount,
            handle.isValid(signature: ECDSASignature.der(fromRaw: signature), for: message)
        {
            return true
        }
        return handle.isValid(signature: signature, for: message)
    }
}

extension P256PublicKey: Equatable {
    public static func == (left: P256PublicKey, right: P256PublicKey) -> Bool {
        left.handle.hasSamePublicKey(as: right.handle)
    }
}
