internal import HTTPSemantics

/// Lets scripts of web pages call an API. Source: WHATWG Fetch, "CORS protocol".
enum CrossOrigin {
    /// What the Firebase JavaScript SDK sends.
    private static let headers =
        "content-type, accept, authorization, x-goog-api-key, x-goog-firebase-installations-auth, x-firebase-client, "
        + "x-firebase-gmpid, x-goog-fis-ios-iid-migration-auth, x-goog-fis-android-iid-migration-auth"

    static var preflightAnswer: HTTPResponse {
        HTTPResponse(
            status: 200,
            fields: HTTPFields([
                ("access-control-allow-origin", "*"),
                ("access-control-allow-methods", "GET, POST, PUT, PATCH, DELETE"),
                ("access-control-allow-headers", headers),
                ("access-control-max-age", "3600"),
            ]))
    }

    /// The answer, marked for any page when a page asked.
    static func shared(_ response: HTTPResponse, with head: HTTPRequestHead) -> HTTPResponse {
        guard head.fields["origin"] != nil else { return response }
        var response = response
        response.fields["access-control-allow-origin"] = "*"
        return response
    }
}
