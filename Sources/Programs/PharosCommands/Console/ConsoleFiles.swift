import ConsoleAPI

/// The files of the console's pages.
enum ConsoleFiles {
    static func asset(_ path: String) -> ConsoleAsset? {
        guard path == "/index.html" else { return nil }
        return ConsoleAsset(
            bytes: Array(page.utf8), contentType: "text/html; charset=utf-8", etag: "\"first\"")
    }

    private static let page = """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><title>Pharos</title></head>
        <body>
        <h1>Pharos</h1>
        <p>The API of the console is described in <a href="/console/v1/openapi.json">its OpenAPI file</a>.</p>
        </body>
        </html>

        """
}
