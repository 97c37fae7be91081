import FirebasePlatform
import HTTPClient
import HTTPSemantics
import Synchronization

/// The downloads of one app on a phone, and the disk that they go to.
///
/// Apple's transport security refuses plain HTTP to hosts with a public name.
final class PhoneDownloads: FileDownloads {
    private static let maximumRedirections = 10

    private struct State {
        var nextNumber = 1
        var files: [String: [UInt8]] = [:]
    }

    private let transport: any WebTransport
    private let reachesInternet: Bool
    private let allowsPlainHTTP: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - reachesInternet: False keeps every download on this machine.
    ///   - allowsPlainHTTP: `NSAllowsArbitraryLoads` of Info.plist.
    init(_ transport: any WebTransport, reachesInternet: Bool, allowsPlainHTTP: Bool) {
        self.transport = transport
        self.reachesInternet = reachesInternet
        self.allowsPlainHTTP = allowsPlainHTTP
    }

    func download(_ url: String, maximumBytes: Int) async throws(WebError) -> DownloadedFile {
        guard var place = HTTPURL(url) else { throw .badURL }
        for _ in 0...Self.maximumRedirections {
            try check(place)
            let response = try await transport.send(WebRequest(method: "GET", url: place.description))
            guard response.body.count <= maximumBytes else { throw .dataLengthExceedsMaximum }
            guard (300..<400).contains(response.status), let next = response.header("location") else {
                return keep(response, from: place)
            }
            guard let url = place.following(next) else { throw .badURL }
            place = url
        }
        throw .tooManyRedirections
    }

    private func check(_ url: HTTPURL) throws(WebError) {
        guard reachesInternet || url.isOnThisMachine else {
            throw WebError(
                errorCode: WebError.notConnectedToInternet.errorCode,
                failureReason: "The phone reaches this machine only, not \(url.host).")
        }
        guard url.isSecure || allowsPlainHTTP || !url.hasPublicName else { throw .transportSecurity }
    }

    private func keep(_ response: WebResponse, from url: HTTPURL) -> DownloadedFile {
        let path = state.withLock { state in
            let path = "/private/tmp/CFNetworkDownload_\(state.nextNumber).tmp"
            state.nextNumber += 1
            state.files[path] = response.body
            return path
        }
        let type = response.header("content-type")?.prefix { $0 != ";" }.lowercased()
        return DownloadedFile(
            path: path, status: response.status, mimeType: type,
            suggestedName: response.suggestedName ?? url.lastPathComponent)
    }

    func rename(_ path: String, fileExtension: String) throws(FileStoreError) -> String {
        let name = "\(path).\(fileExtension)"
        let isMoved = state.withLock { state in
            guard let bytes = state.files.removeValue(forKey: path) else { return false }
            state.files[name] = bytes
            return true
        }
        guard isMoved else { throw FileStoreError(reason: "There is no file at \(path).") }
        return name
    }

    func remove(_ path: String) {
        state.withLock { state in state.files[path] = nil }
    }

    /// The file, which is gone afterwards: the system takes over what is attached.
    func take(_ path: String) -> [UInt8]? {
        state.withLock { state in state.files.removeValue(forKey: path) }
    }
}

extension WebResponse {
    fileprivate func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }

    /// The file name of `content-disposition`.
    fileprivate var suggestedName: String? {
        guard let value = header("content-disposition"), let range = value.firstRange(of: "filename=") else {
            return nil
        }
        let name = value[range.upperBound...].prefix { $0 != ";" }.filter { $0 != "\"" }
        return name.isEmpty ? nil : String(name)
    }
}

extension HTTPURL {
    fileprivate var isOnThisMachine: Bool { ["localhost", "127.0.0.1", "::1"].contains(host) }

    /// A name of the public kind: neither an address nor a bare or `.local` name.
    fileprivate var hasPublicName: Bool {
        let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
        return !isAddress && host.contains(".") && !host.hasSuffix(".local")
    }

    fileprivate var lastPathComponent: String? {
        let path = target.prefix { $0 != "?" }
        return path.split(separator: "/").last.map { PercentEncoding.decode(String($0)) ?? String($0) }
    }

    /// Where a redirection leads: an absolute URL, or a path on the same host.
    fileprivate func following(_ location: String) -> HTTPURL? {
        guard location.hasPrefix("/"), !location.hasPrefix("//") else { return HTTPURL(location) }
        return HTTPURL(isSecure: isSecure, host: host, port: port, target: location)
    }
}

extension WebError {
    static let tooManyRedirections = WebError(errorCode: -1007)
    /// The system refuses plain HTTP.
    static let transportSecurity = WebError(
        errorCode: -1022, failureReason: "App Transport Security requires a secure connection.")
}
