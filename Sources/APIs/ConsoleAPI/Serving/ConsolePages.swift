public import ConsoleAssets
public import GoogleAPI
public import HTTPSemantics

/// Serves the console's pages: `/` and `/assets/…`.
public struct ConsolePages: Sendable {
    public typealias LookUp = @Sendable (_ path: String) -> ConsoleAsset?

    private let lookUp: LookUp
    private let origins: ConsoleOrigins
    private let other: @Sendable (HTTPRequestHead) -> HTTPResponse?

    /// - Parameters:
    ///   - lookUp: The file of a path: `index.html`, `pages/campaigns.js`.
    ///   - other: What answers at `/` instead, if it wants to.
    public init(
        origins: ConsoleOrigins, lookUp: @escaping LookUp = { ConsoleAsset.named($0) },
        other: @escaping @Sendable (HTTPRequestHead) -> HTTPResponse? = { _ in nil }
    ) {
        self.lookUp = lookUp
        self.origins = origins
        self.other = other
    }

    public var router: Router {
        var router = Router()
        router.get("/") { request in other(request.head) ?? page("index.html", for: request.head) }
        router.get("/assets/{path...}") { request in page(request[parameter: "path"], for: request.head) }
        return router
    }

    private func page(_ path: String, for head: HTTPRequestHead) -> HTTPResponse {
        do throws(GoogleError) {
            try origins.checkHost(of: head)
        } catch {
            return SecurityFields.onAPI(error.response)
        }
        guard let asset = lookUp(path) else {
            return SecurityFields.onAPI(HTTPResponse(errorPage: 404, "Not Found", "There is no such file."))
        }
        let known = head.fields.values(of: "if-none-match").joined(separator: ",")
        let isKnown = known.split(separator: ",").contains { tag in
            let tag = tag.trimmingSpaces()
            return tag == "*" || tag == asset.etag || tag == "W/" + asset.etag
        }
        guard !isKnown else {
            return SecurityFields.onPage(HTTPResponse(status: 304, fields: HTTPFields([("etag", asset.etag)])))
        }
        let fields = HTTPFields([("content-type", asset.contentType), ("etag", asset.etag)])
        return SecurityFields.onPage(HTTPResponse(status: 200, fields: fields, body: asset.bytes))
    }
}
