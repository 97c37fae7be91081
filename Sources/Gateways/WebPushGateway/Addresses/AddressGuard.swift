import HTTPSemantics

/// Whether the service may connect to an address that a stranger's URL led to.
///
/// An endpoint comes from a browser, so anybody can make the service connect to whatever he likes; only addresses that
/// anybody could reach himself are allowed. Sources: IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890).
public struct AddressGuard: Sendable {
    /// What is allowed.
    public enum Reach: Sendable {
        /// Global unicast addresses.
        case global
        /// These and the machine itself: for tests and the emulator.
        case globalAndLoopback
        /// The machine itself and nothing else.
        case loopback
    }

    private let reach: Reach

    public init(_ reach: Reach) {
        self.reach = reach
    }

    /// - Parameter address: A numeric address. Any other text is refused.
    public func allows(_ address: String) -> Bool {
        guard let address = IPAddress(address) else { return false }
        return switch reach {
        case .global: Self.isGlobal(address)
        case .globalAndLoopback: Self.isGlobal(address) || Self.isLoopback(address)
        case .loopback: Self.isLoopback(address)
        }
    }

    static func isLoopback(_ address: IPAddress) -> Bool {
        switch address {
        case .v4(let bytes): loopbackV4.contains(bytes)
        case .v6(let bytes): loopbackV6.contains(bytes)
        }
    }

    static func isGlobal(_ address: IPAddress) -> Bool {
        switch address {
        case .v4(let bytes): !specialV4.contains { $0.contains(bytes) }
        case .v6(let bytes):
            // These carry an IPv4 address, to which a kernel or a translator connects.
            if mapped.contains(bytes) || translated.contains(bytes) {
                isGlobal(.v4(Array(bytes.suffix(4))))
            } else {
                globalV6.contains(bytes) && !specialV6.contains { $0.contains(bytes) }
            }
        }
    }

    private static let loopbackV4 = AddressBlock([127], 8)
    private static let loopbackV6 = AddressBlock([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 128)
    /// `::ffff:0:0/96`. Source: RFC 4291 §2.5.5.2.
    private static let mapped = AddressBlock([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96)
    /// `64:ff9b::/96`, NAT64. Source: RFC 6052 §2.1.
    private static let translated = AddressBlock([0, 0x64, 0xFF, 0x9B], 96)
    /// `2000::/3`, all that is given out. Source: RFC 4291 §2.4.
    private static let globalV6 = AddressBlock([0x20], 3)

    private static let specialV4 = [
        AddressBlock([0], 8),  // this network
        AddressBlock([10], 8),  // private
        AddressBlock([100, 64], 10),  // carrier-grade NAT
        loopbackV4,
        AddressBlock([168, 63, 129, 16], 32),  // a cloud's service for its machines
        AddressBlock([169, 254], 16),  // link-local, with most clouds' metadata
        AddressBlock([172, 16], 12),  // private
        AddressBlock([192, 0, 0], 24),  // protocol assignments
        AddressBlock([192, 0, 2], 24),  // documentation
        AddressBlock([192, 88, 99], 24),  // 6to4 relays
        AddressBlock([192, 168], 16),  // private
        AddressBlock([198, 18], 15),  // benchmarks
        AddressBlock([198, 51, 100], 24),  // documentation
        AddressBlock([203, 0, 113], 24),  // documentation
        AddressBlock([224], 4),  // multicast
        AddressBlock([240], 4),  // reserved, and broadcast
    ]

    private static let specialV6 = [
        AddressBlock([0x20, 0x01], 23),  // protocol assignments, Teredo and benchmarks among them
        AddressBlock([0x20, 0x01, 0x0D, 0xB8], 32),  // documentation
        AddressBlock([0x20, 0x02], 16),  // 6to4, which carries any IPv4 address
        AddressBlock([0x3F, 0xFF], 20),  // documentation
    ]
}
