import GoogleAPI
import HTTPSemantics

extension RoutedRequest {
    /// Whether the caller is on this machine.
    var isFromThisMachine: Bool {
        let peer = request.peerAddress
        return peer.hasPrefix("127.") || peer == "::1" || peer.hasPrefix("::ffff:127.")
    }
}
