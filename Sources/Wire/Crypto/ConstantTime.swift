internal import COpenSSL

/// Comparison whose duration tells nothing about where two secrets differ.
public enum ConstantTime {
    /// Lengths are not secret: different ones are unequal at once.
    public static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }

    public static func isEqual(_ left: String, _ right: String) -> Bool {
        isEqual(Array(left.utf8), Array(right.utf8))
    }
}
