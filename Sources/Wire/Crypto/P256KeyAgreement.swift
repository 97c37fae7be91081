internal import COpenSSL

extension P256PrivateKey {
    /// The length of a private number and of a shared secret.
    public static let scalarByteCount = 32

    /// The order of the curve's group, the first number that is no private key. Source: SEC 2 §2.4.2.
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    /// ECPrivateKey without the public half, which the library then computes. Source: RFC 5915 §3.
    private static let header: [UInt8] = [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20]
    private static let curve: [UInt8] = [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]

    /// - Parameter scalar: The private number, 32 bytes, from 1 to the order of the curve less 1.
    public init(scalar: [UInt8]) throws(KeyError) {
        guard scalar.count == Self.scalarByteCount, scalar.contains(where: { $0 != 0 }),
            scalar.lexicographicallyPrecedes(Self.order)
        else { throw .damaged("private key") }
        try self.init(.privateKey(der: Self.header + scalar + Self.curve))
    }

    /// A key that follows from a secret: the same one each time, and as hard to guess as the secret.
    ///
    /// Draws candidates out of HKDF until one is in range (the first is, but for one case in four thousand million).
    /// Source: FIPS 186-5 A.2.2, key pair generation by rejection sampling.
    public static func derived(from secret: [UInt8], info: [UInt8]) throws(KeyError) -> P256PrivateKey {
        for attempt in UInt8.min ... .max {
            let candidate = HKDFSHA256.derive(from: secret, info: info + [attempt], byteCount: scalarByteCount)
            if let key = try? P256PrivateKey(scalar: candidate) { return key }
        }
        throw .damaged("private key")
    }

    /// What both sides of an agreement compute: the X coordinate of the product, 32 bytes. Source: RFC 5903 §9, ECDH.
    public func sharedSecret(with other: P256PublicKey) throws(CryptoError) -> [UInt8] {
        try handle.sharedSecret(with: other.handle)
    }
}

extension KeyHandle {
    fileprivate func sharedSecret(with other: KeyHandle) throws(CryptoError) -> [UInt8] {
        try withPointers(other) { (own, peer) throws(CryptoError) -> [UInt8] in
            let context = EVP_PKEY_CTX_new(own, nil)
            defer { EVP_PKEY_CTX_free(context) }
            try check(EVP_PKEY_derive_init(context))
            try check(EVP_PKEY_derive_set_peer(context, peer))
            var length = P256PrivateKey.scalarByteCount
            var secret = [UInt8](repeating: 0, count: length)
            try check(EVP_PKEY_derive(context, &secret, &length))
            guard length == secret.count else { throw .wrongLength }
            return secret
        }
    }
}
