/// Why a listener or a TLS context could not be made.
public enum TransportError: Error, Equatable {
    /// `code` is the `errno`: the address is in use, not local, or not permitted.
    case cannotListen(address: String, port: UInt16, code: Int32)
    /// The text is no numeric IPv4 or IPv6 address.
    case notAnAddress(String)
    case invalidCertificate(detail: String)
    case invalidPrivateKey(detail: String)
    /// The TLS library refused a setting.
    case tls(detail: String)
}
