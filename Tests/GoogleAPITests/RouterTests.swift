import GoogleAPI
import HTTPSemantics
import Testing

@Suite struct `A router` {
    /// Answers with the pattern and the parameters.
    static let router: Router = {
        var router = Router()
        func add(_ method: String, _ pattern: PathPattern, hosts: [String] = [], crossOrigin: Bool = false) {
            router.add(
                Route(method, pattern, hosts: hosts, bodyLimitBytes: 10, allowsCrossOrigin: crossOrigin) { call in
                    let names = ["project", "token", "topic", "device", "path"]
                    let values = names.map { call[parameter: $0] }.filter { !$0.isEmpty }
                    let text = ([method, pattern.text] + hosts + values).joined(separator: " ")
                    return HTTPResponse(status: 200, contentType: "text/plain", text: text)
                })
        }
        add("POST", "/v1/projects/{project}/messages:send")
        add("POST", "/v1/projects/{project}/installations[/]", crossOrigin: true)
        add("GET", "/iid/info/{token}")
        add("POST", "/iid/v1:batchAdd")
        add("POST", "/iid/v1/{token}/rel/topics/{topic}")
        add("POST", "/devices/{device}")
        add("POST", "/devices/{device}:tap")
        add("POST", "/devices/all")
        add("GET", "/devices/all")
        add("GET", "/console/{path...}")
        add("GET", "/")
        add("POST", "/shared", hosts: ["a.example.com"])
        add("POST", "/shared")
        return router
    }()

    static let found: [(method: String, target: String, host: String, answer: String)] = [
        ("POST", "/v1/projects/p/messages:send", "", "POST /v1/projects/{project}/messages:send p"),
        ("POST", "/v1/projects/p/messages%3Asend?alt=json", "", "POST /v1/projects/{project}/messages:send p"),
        ("POST", "/v1/projects/p/installations", "", "POST /v1/projects/{project}/installations[/] p"),
        ("POST", "/v1/projects/p/installations/", "", "POST /v1/projects/{project}/installations[/] p"),
        ("GET", "/iid/info/fid:APA91b-_x?details=true", "", "GET /iid/info/{token} fid:APA91b-_x"),
        ("HEAD", "/iid/info/fid%3AAPA", "", "GET /iid/info/{token} fid:APA"),
        ("POST", "/iid/v1:batchAdd", "", "POST /iid/v1:batchAdd"),
        (
            "POST", "/iid/v1/a%2Fb%252F/rel/topics/%2Ftopics%2Fx%20y", "",
            "POST /iid/v1/{token}/rel/topics/{topic} a/b%2F /topics/x y"
        ),
        ("POST", "/devices/d1", "", "POST /devices/{device} d1"),
        ("POST", "/devices/d1:tap", "", "POST /devices/{device}:tap d1"),
        ("POST", "/devices/d1:other", "", "POST /devices/{device} d1:other"),
        ("POST", "/devices/:tap", "", "POST /devices/{device} :tap"),
        ("POST", "/devices/all", "", "POST /devices/all"), ("GET", "/devices/all", "", "GET /devices/all"),
        ("GET", "/console/a/b.css", "", "GET /console/{path...} a/b.css"),
        ("GET", "/console/", "", "GET /console/{path...}"), ("GET", "/", "", "GET /"),
        ("POST", "/shared", "A.example.com:443", "POST /shared a.example.com"),
        ("POST", "/shared", "127.0.0.1:80", "POST /shared"), ("POST", "/shared", "[::1]:80", "POST /shared"),
    ]

    @Test(arguments: found.indices) func `finds the route`(row: Int) async {
        let (method, target, host, answer) = Self.found[row]
        let response = await respond(method, target, host: host)
        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self) == answer)
    }

    static let lost: [(method: String, target: String, status: Int)] = [
        ("GET", "/v1/projects/p/messages:send", 404), ("POST", "/v1/projects//messages:send", 404),
        ("POST", "/v1/projects/p/messages:send/", 404), ("POST", "/v1/projects/p/messages", 404),
        ("POST", "//v1/projects/p/messages:send", 404), ("post", "/devices/all", 404), ("GET", "", 404),
        ("GET", "*", 404), ("GET", "http://x/", 404), ("GET", "/console", 404), ("GET", "/console/../x", 404),
        ("GET", "/console/%2e%2e/x", 404), ("GET", "/console/./x", 404), ("GET", "/iid/info/%zz", 400),
        ("GET", "/iid/info/%ff", 400), ("GET", "/iid/info/%4", 400), ("OPTIONS", "/devices/all", 404),
        ("GET", "/iid/info/", 404), ("POST", "/batch", 404),
    ]

    @Test(arguments: lost.indices) func `answers with a page when there is none`(row: Int) async {
        let (method, target, status) = Self.lost[row]
        let response = await respond(method, target)
        #expect(response.status == status)
        #expect(response.fields["content-type"] == "text/html; charset=UTF-8")
        let page = String(decoding: response.body, as: UTF8.self)
        #expect(page.contains(status == 404 ? "Error 404 (Not Found)!!1" : "Error 400 (Bad Request)!!1"))
    }

    @Test func `shows no markup of the path`() async {
        let response = await respond("GET", "/<script>alert(1)</script>")
        #expect(!String(decoding: response.body, as: UTF8.self).contains("<script>"))
    }

    @Test func `knows the body limit before the body`() {
        let head = HTTPRequestHead(method: "POST", target: "/devices/d1")
        #expect(Self.router.bodyLimitBytes(for: head) == 10)
        let unknown = HTTPRequestHead(method: "POST", target: "/nothing")
        #expect(Self.router.bodyLimitBytes(for: unknown) == Route.usualBodyLimitBytes)
    }

    @Test func `answers preflights of shared routes only`() async {
        let asked = [("origin", "https://app.example.com"), ("access-control-request-method", "POST")]
        let shared = await respond("OPTIONS", "/v1/projects/p/installations", fields: asked)
        #expect(shared.status == 200 && shared.fields["access-control-allow-origin"] == "*")
        #expect(shared.fields["access-control-allow-headers"]?.contains("x-goog-api-key") == true)
        #expect(await respond("OPTIONS", "/v1/projects/p/messages:send", fields: asked).status == 404)
        let called = await respond("POST", "/v1/projects/p/installations", fields: [asked[0]])
        #expect(called.fields["access-control-allow-origin"] == "*")
        #expect(await respond("POST", "/v1/projects/p/installations").fields["access-control-allow-origin"] == nil)
        let closed = await respond("POST", "/devices/all", fields: [asked[0]])
        #expect(closed.fields["access-control-allow-origin"] == nil)
    }

    @Test func `takes over the routes of another`() async {
        var outer = Router()
        outer.mount(Self.router)
        let request = HTTPRequest(head: HTTPRequestHead(method: "POST", target: "/devices/d1:tap"))
        #expect(await outer.respond(to: request).status == 200)
    }

    @Test func `gives the query`() {
        let head = HTTPRequestHead(method: "GET", target: "/x?a=1&b=%20+2&a=3&&c")
        let call = RoutedRequest(HTTPRequest(head: head))
        #expect(call.queryValue("a") == "1" && call.queryValue("b") == "  2" && call.queryValue("c") == "")
        #expect(call.queryValue("d") == nil && call[parameter: "x"] == "")
    }

    private func respond(
        _ method: String, _ target: String, host: String = "", fields: [(String, String)] = []
    ) async -> HTTPResponse {
        let head = HTTPRequestHead(method: method, target: target, authority: host, fields: HTTPFields(fields))
        return await Self.router.respond(to: HTTPRequest(head: head))
    }
}
