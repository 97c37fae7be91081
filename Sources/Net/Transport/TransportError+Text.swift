import Glibc

extension TransportError: CustomStringConvertible {
    /// For people, without a full stop.
    public var description: String {
        switch self {
        case .cannotListen(_, _, let code): String(cString: strerror(code))
        case .notAnAddress(let text): "“\(text)” is no IPv4 or IPv6 address"
        case .invalidCertificate(let detail): "the certificate cannot be used: \(detail)"
        case .invalidPrivateKey(let detail): "the private key cannot be used: \(detail)"
        case .tls(let detail): "TLS: \(detail)"
        }
    }
}
