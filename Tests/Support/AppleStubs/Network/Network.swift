public import Darwin
public import Dispatch
public import Foundation

// The part of Apple's Network that the SDK uses. Bodies are never compiled.

public struct NWInterface: Sendable {
    public enum InterfaceType: Sendable { case other, wifi, cellular, wiredEthernet, loopback }
}

public struct NWPath: Sendable, Equatable {
    public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
    public let status: Status
    public let isExpensive: Bool
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { fatalError() }
}

public final class NWPathMonitor: Sendable {
    public init() { fatalError() }
    @preconcurrency public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { fatalError() }
        set { fatalError() }
    }
    public var currentPath: NWPath { fatalError() }
    public func start(queue: DispatchQueue) { fatalError() }
    public func cancel() { fatalError() }
}

public enum NWEndpoint: Sendable {
    public enum Host: Sendable, Hashable {
        case name(String, NWInterface.InterfaceType?)
        public init(_ string: String) { fatalError() }
    }
    public struct Port: Sendable, Hashable {
        public init?(rawValue: UInt16) { fatalError() }
        public static let https = Port(rawValue: 443)!
    }
}

public enum NWError: Error, Sendable {
    case posix(POSIXErrorCode)
    case dns(Int32)
    case tls(Int32)
}

public final class NWProtocolTLS: Sendable {
    public final class Options: Sendable {
        public init() { fatalError() }
    }
}

public final class NWProtocolTCP: Sendable {
    public final class Options: @unchecked Sendable {
        public init() { fatalError() }
        public var connectionTimeout = 0
        public var noDelay = false
    }
}

public final class NWParameters: Sendable {
    public init(tls: NWProtocolTLS.Options?, tcp: NWProtocolTCP.Options = NWProtocolTCP.Options()) { fatalError() }
}

public final class NWConnection: Sendable {
    public enum State: Sendable {
        case setup
        case waiting(NWError)
        case preparing
        case ready
        case failed(NWError)
        case cancelled
    }
    public final class ContentContext: Sendable {
        public static let defaultMessage = ContentContext()
        public static let finalMessage = ContentContext()
    }
    public enum SendCompletion: Sendable {
        case contentProcessed(@Sendable (NWError?) -> Void)
        case idempotent
    }
    public init(host: NWEndpoint.Host, port: NWEndpoint.Port, using: NWParameters) { fatalError() }
    @preconcurrency public var stateUpdateHandler: (@Sendable (State) -> Void)? {
        get { fatalError() }
        set { fatalError() }
    }
    public func start(queue: DispatchQueue) { fatalError() }
    public func send(
        content: Data?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true,
        completion: SendCompletion
    ) { fatalError() }
    public func receive(
        minimumIncompleteLength: Int, maximumLength: Int,
        completion: @escaping @Sendable (Data?, ContentContext?, Bool, NWError?) -> Void
    ) { fatalError() }
    public func cancel() { fatalError() }
    public func forceCancel() { fatalError() }
}
