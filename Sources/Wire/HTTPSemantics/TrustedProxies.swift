/// The proxies in front of a server whose word about a client's address counts.
///
/// `X-Forwarded-For` is a list to which each proxy adds the address that it saw, at the end; whatever comes before the
/// first trusted word may be the client's invention. Source: RFC 7239 §7.1 and §8.1, of its successor `Forwarded`.
public struct TrustedProxies: Sendable, Equatable {
    /// Proxies between a client and us; what lies beyond is not read.
    private static let maximumHops = 32

    private let blocks: [Block]

    private struct Block: Equatable {
        let isV4: Bool
        let block: AddressBlock
    }

    public static let none = TrustedProxies()

    private init() {
        blocks = []
    }

    /// - Parameter texts: Addresses, or blocks of them such as `10.0.0.0/8`.
    /// - Returns: `nil` when one is neither.
    public init?(_ texts: [String]) {
        var blocks: [Block] = []
        for text in texts {
            guard let block = Self.block(text) else { return nil }
            blocks.append(block)
        }
        self.blocks = blocks
    }

    private static func block(_ text: String) -> Block? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let address = IPAddress(String(first))?.unmapped else {
            return nil
        }
        let all = address.bytes.count * 8
        guard parts.count == 2 else { return Block(isV4: all == 32, block: AddressBlock(address.bytes, all)) }
        guard let bits = Int(parts[1]), 0...all ~= bits,
            parts[1].utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        return Block(isV4: all == 32, block: AddressBlock(address.bytes, bits))
    }

    /// The numeric address of the client of a request: that of the connection, or what a trusted proxy says.
    public func client(of request: HTTPRequest) -> String {
        guard !blocks.isEmpty, trusts(request.peerAddress) else { return request.peerAddress }
        var client = request.peerAddress
        let hops = request.head.fields.values(of: "x-forwarded-for").joined(separator: ",").split(
            separator: ",", omittingEmptySubsequences: false)
        for hop in hops.suffix(Self.maximumHops).reversed() {
            // What the last trusted proxy wrote is no address: nothing before it can be believed.
            guard let address = Self.address(hop.trimmingSpaces()) else { return client }
            client = address
            guard trusts(address) else { return client }
        }
        return client
    }

    private func trusts(_ text: String) -> Bool {
        guard let bytes = IPAddress(text)?.unmapped.bytes else { return false }
        return blocks.contains { $0.isV4 == (bytes.count == 4) && $0.block.contains(bytes) }
    }

    /// Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
    private static func address(_ text: String) -> String? {
        if IPAddress(text) != nil { return text }
        if text.first == "[" {
            let inner = text.dropFirst().prefix { $0 != "]" }
            return IPAddress(String(inner)).map { _ in String(inner) }
        }
        let host = text.prefix { $0 != ":" }
        return IPAddress(String(host)).map { _ in String(host) }
    }
}
