import HTTPSemantics

/// The header fields that keep browsers from doing what nobody wants.
enum SecurityFields {
    /// Nothing but our own files runs or is shown. Images over HTTPS, because notifications have some.
    static let pagePolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; \
        form-action 'self'; frame-ancestors 'none'; base-uri 'none'
        """
    private static let apiPolicy = "default-src 'none'; frame-ancestors 'none'"

    private static let always = [
        ("x-content-type-options", "nosniff"), ("x-frame-options", "DENY"), ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ]

    /// An answer of the API: for its caller alone, kept by nobody.
    static func onAPI(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        if response.status == 401 { response.fields["www-authenticate"] = #"Bearer realm="Pharos console""# }
        return add(always + [("cache-control", "no-store"), ("content-security-policy", apiPolicy)], to: response)
    }

    /// A page, or what belongs to it: kept, but asked for again each time.
    static func onPage(_ response: HTTPResponse) -> HTTPResponse {
        add(always + [("cache-control", "no-cache"), ("content-security-policy", pagePolicy)], to: response)
    }

    private static func add(_ fields: [(String, String)], to response: HTTPResponse) -> HTTPResponse {
        var response = response
        for (name, value) in fields where response.fields[name] == nil { response.fields.append(name, value) }
        return response
    }
}
