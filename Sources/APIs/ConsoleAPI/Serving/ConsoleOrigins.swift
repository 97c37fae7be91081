import GoogleAPI
import HTTPSemantics

/// Under which names the console answers, and which pages may call it.
///
/// A page of another site may point its own name at this machine (DNS rebinding): so names are only taken when they are
/// known. Addresses in figures are always taken, because no name server gives them a second meaning.
public struct ConsoleOrigins: Sendable {
    private let exact: Set<String>
    /// What follows the star of `*.example.com`, with its dot.
    private let suffixes: [String]

    /// - Parameter names: Host names, also of the form `*.example.com`.
    public init(names: [String]) {
        let names = names.map { $0.lowercased() }
        exact = Set(names.filter { !$0.hasPrefix("*.") } + ["localhost"])
        suffixes = names.filter { $0.hasPrefix("*.") }.map { String($0.dropFirst()) }
    }

    /// - Throws: 403 when the request names a host that is not ours.
    func checkHost(of head: HTTPRequestHead) throws(GoogleError) {
        guard isKnown(head.authority) else {
            let name = Self.hostName(of: head.authority)
            throw GoogleError(
                .permissionDenied,
                "The console does not answer under the name “\(name.prefix(200))”. "
                    + "If the name is yours, start the server with --console-host NAME.")
        }
    }

    /// - Throws: 403 when a browser says that a page of another origin makes the request. Scripts say nothing.
    func checkOrigin(of head: HTTPRequestHead) throws(GoogleError) {
        if let site = head.fields["sec-fetch-site"], site != "same-origin", site != "none" { throw Self.foreignPage }
        guard let origin = head.fields["origin"] else { return }
        let authority = head.authority.lowercased()
        guard !authority.isEmpty, origin == "http://" + authority || origin == "https://" + authority else {
            throw Self.foreignPage
        }
    }

    private static let foreignPage = GoogleError(
        .permissionDenied, "Pages of other origins may not call the console.")

    private func isKnown(_ authority: String) -> Bool {
        let name = Self.hostName(of: authority)
        if name.isEmpty || exact.contains(name) || Self.isAddress(name) { return !name.isEmpty }
        return suffixes.contains { suffix in
            name.hasSuffix(suffix) && !name.dropLast(suffix.count).contains(".") && name.count > suffix.count
        }
    }

    /// The authority without its port, in lower case.
    private static func hostName(of authority: String) -> String {
        let name = authority.lowercased()
        guard let colon = name.lastIndex(of: ":"), name[colon...].dropFirst().allSatisfy(\.isWholeNumber) else {
            return name
        }
        return String(name[..<colon])
    }

    private static func isAddress(_ name: String) -> Bool {
        if name.hasPrefix("["), name.hasSuffix("]") { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}
