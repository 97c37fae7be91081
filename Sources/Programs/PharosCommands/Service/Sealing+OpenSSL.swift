import Crypto
package import PushCore

extension Sealing {
    /// The core's operations over OpenSSL.
    /// - Parameter secret: The server's secret, 32 bytes.
    package static func openSSL(secret: [UInt8]) -> Sealing {
        Sealing(
            key: secret, mac: { HMACSHA256.tag(for: $1, key: $0) },
            preparedMAC: { key in
                let prepared = HMACSHA256(key: key)
                return { prepared.tag(for: $0) }
            }, digest: { SHA256.hash($0) }, isEqual: { ConstantTime.isEqual($0, $1) },
            random: { SecureRandom.bytes($0) })
    }
}
