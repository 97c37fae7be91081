public import FoundationEssentials

// URLSession, as far as the SDK uses it. Bodies are never compiled.

public struct URLRequest: Sendable, Hashable {
    public init(
        url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: Double = 60
    ) { fatalError() }
    public enum CachePolicy: UInt, Sendable {
        case useProtocolCachePolicy = 0
        case reloadIgnoringLocalCacheData = 1
    }
    public var url: URL?
    public var httpMethod: String?
    public var httpBody: Data?
    public var timeoutInterval: Double
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) { fatalError() }
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) { fatalError() }
}

public final class URLSessionConfiguration: NSObject, @unchecked Sendable {
    public class var `default`: URLSessionConfiguration { fatalError() }
    public class var ephemeral: URLSessionConfiguration { fatalError() }
    public var timeoutIntervalForRequest: Double = 0
    public var timeoutIntervalForResource: Double = 0
    public var waitsForConnectivity = false
    public var httpShouldSetCookies = false
}

public class URLSessionTask: NSObject, @unchecked Sendable {
    public func resume() { fatalError() }
    public func cancel() { fatalError() }
    @objc public dynamic var countOfBytesReceived: Int64 { fatalError() }
}

public final class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
public final class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}

@objc public protocol URLSessionDelegate {}
@objc public protocol URLSessionTaskDelegate: URLSessionDelegate {}

public final class URLSession: NSObject, @unchecked Sendable {
    public class var shared: URLSession { fatalError() }
    public init(configuration: URLSessionConfiguration) { fatalError() }
    public func data(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { fatalError() }
    public func download(
        from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) { fatalError() }
    public func dataTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask { fatalError() }
    public func downloadTask(
        with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask { fatalError() }
    public func finishTasksAndInvalidate() { fatalError() }
}

public struct URLError: Error, Hashable, Sendable {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { fatalError() }
        public static var cancelled: Code { fatalError() }
    }
    public var code: Code { fatalError() }
    public var errorCode: Int { fatalError() }
    public var localizedDescription: String { fatalError() }
}
