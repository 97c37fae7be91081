import ConsoleAssets
import Testing

@Suite struct `Console assets` {
    @Test(arguments: [
        ("index.html", "text/html; charset=utf-8"), ("app.js", "text/javascript; charset=utf-8"),
        ("style/base.css", "text/css; charset=utf-8"), ("icons/pharos.svg", "image/svg+xml"),
    ])
    func `have the type of their name`(path: String, type: String) throws {
        let asset = try #require(ConsoleAsset.named(path))
        #expect(asset.contentType == type)
        #expect(!asset.bytes.isEmpty)
    }

    @Test(arguments: ["", "/", "index", "../Package.swift", "/index.html", "INDEX.HTML", "index.html\0", "pages"])
    func `are found by their exact path only`(path: String) {
        #expect(ConsoleAsset.named(path) == nil)
    }

    @Test func `have tags that tell them apart`() {
        let tags = ConsoleAsset.paths.compactMap { ConsoleAsset.named($0)?.etag }
        #expect(Set(tags).count == ConsoleAsset.paths.count)
        #expect(tags.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") && $0.count > 4 })
    }

    @Test func `hold no script or style inside the page`() throws {
        let page = String(decoding: try #require(ConsoleAsset.named("index.html")).bytes, as: UTF8.self)
        #expect(page.contains("<script type=\"module\" src=\"/assets/app.js\"></script>"))
        #expect(!page.contains("<style") && !page.contains("style=") && !page.contains("onclick"))
    }
}
