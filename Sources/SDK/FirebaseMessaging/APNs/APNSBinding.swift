import Bytes

/// An APNs device token with its environment: what a registration is bound to.
struct APNSBinding: Sendable, Hashable {
    var deviceToken: [UInt8]
    var isSandbox: Bool

    var hex: String { Hex.encode(deviceToken) }

    /// The `apns_token` of the register call: `s_` or `p_`, then lower-case hex.
    var prefixedHex: String { (isSandbox ? "s_" : "p_") + hex }
}
