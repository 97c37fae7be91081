/// An RSA private key of 2048 to 8192 bits.
public struct RSAPrivateKey: Sendable {
    let handle: KeyHandle

    init(_ handle: KeyHandle) throws(KeyError) {
        guard case .rsa(let bits) = handle.kind else {
            throw .wrongAlgorithm(found: handle.kind.name, wanted: "RSA")
        }
        guard 2048...8192 ~= bits else { throw .weakKey(bits: bits) }
        self.handle = handle
    }

    /// Reads PEM in any of the shapes of `PEM.blocks`; PKCS #8 or PKCS #1.
    public init(pem: String) throws(KeyError) {
        try self.init(.privateKey(inPEM: pem))
    }

    /// Makes a key of 2048 bits. Takes some tens of milliseconds.
    public static func generate() throws(CryptoError) -> RSAPrivateKey {
        do {
            return try RSAPrivateKey(.generateRSA(bits: 2048))
        } catch let error as CryptoError {
            throw error
        } catch {
            throw .library("\(error)")
        }
    }

    public var publicKey: RSAPublicKey { RSAPublicKey(unchecked: handle) }

    /// PKCS #8, ending with a line end.
    public var pem: String { PEM.encode("PRIVATE KEY", handle.privateKeyDER) }

    /// RSASSA-PKCS1-v1_5 with SHA-256: the `RS256` of RFC 7518 §3.3.
    public func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        try handle.sign(message)
    }
}

/// An RSA public key of 2048 to 8192 bits.
public struct RSAPublicKey: Sendable {
    let handle: KeyHandle

    init(unchecked handle: KeyHandle) {
        self.handle = handle
    }

    init(_ handle: KeyHandle) throws(KeyError) {
        guard case .rsa(let bits) = handle.kind else {
            throw .wrongAlgorithm(found: handle.kind.name, wanted: "RSA")
        }
        guard 2048...8192 ~= bits else { throw .weakKey(bits: bits) }
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

    /// SubjectPublicKeyInfo.
    public var der: [UInt8] { handle.publicKeyDER }
    public var pem: String { PEM.encode("PUBLIC KEY", der) }

    /// Checks a signature of `RSAPrivateKey.sign`.
    public func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        handle.isValid(signature: signature, for: message)
    }
}

extension RSAPublicKey: Equatable {
    public static func == (left: RSAPublicKey, right: RSAPublicKey) -> Bool {
        left.handle.hasSamePublicKey(as: right.handle)
    }
}
