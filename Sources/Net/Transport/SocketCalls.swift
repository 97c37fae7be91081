import CLinux

enum SocketCalls {
    /// The peer's numeric address; empty when the connection is gone already.
    static func peerAddress(_ descriptor: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PHAROS_ADDRESS_BYTES)) { text in
            guard let start = text.baseAddress, pharos_peer_address(descriptor, start) == 0 else { return "" }
            return String(cString: start)
        }
    }

    static func disableDelay(_ descriptor: Int32) {
        pharos_no_delay(descriptor)
    }
}
