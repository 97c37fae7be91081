import GoogleAPI
import HTTPSemantics
import JSON
import Testing

@testable import ConsoleAPI

@Suite struct `The API file` {
    private func document(_ world: ConsoleWorld) async throws -> JSONValue {
        try #require(await world.stranger.call("GET", "openapi.json").json)
    }

    @Test func `names each operation once, and each is routed`() async throws {
        let world = try await ConsoleWorld()
        let paths = try #require(await document(world)["paths"]?.object)
        var described: Set<String> = []
        for path in paths {
            for operation in path.value.object ?? [:] {
                let method = operation.name.uppercased()
                described.insert(method + " " + path.name)
                let id = try #require(operation.value["operationId"]?.string)
                let target = String(path.name.dropFirst()).replacing(/\{\w+\}/, with: "x")
                let status = await world.stranger.status(
                    method, target, operation.value["requestBody"] == nil ? nil : "{}")
                #expect(status == 401 || id == "session.create" && status == 400, "\(id): \(status)")
            }
        }
        let routed = world.api.parts.flatMap(\.endpoints)
        #expect(described == Set(routed.map { $0.method + " /" + $0.path }))
        #expect(Set(routed.map(\.name)).count == routed.count)
    }

    @Test func `has every schema that it refers to, and no other`() async throws {
        let document = try await document(ConsoleWorld())
        let text = document.text
        let named = Set(document["components"]?["schemas"]?.object?.names ?? [])
        let referred = Set(text.matches(of: /#\/components\/schemas\/(\w+)/).map { String($0.output.1) })
        #expect(named == referred)
    }

    @Test func `describes the parameters of each path`() async throws {
        let world = try await ConsoleWorld()
        for path in try #require(await document(world)["paths"]?.object) {
            let names = path.name.matches(of: /\{(\w+)\}/).map { String($0.output.1) }
            for operation in path.value.object ?? [:] {
                let parameters = operation.value["parameters"]?.array ?? []
                let described = parameters.filter { $0["in"]?.string == "path" }.compactMap { $0["name"]?.string }
                #expect(described == names, "\(path.name)")
            }
        }
    }

    @Test func `says what paths take when they are asked for something else`() async throws {
        let world = try await ConsoleWorld()
        let answer = await world.stranger.call("PUT", "projects/demo-kitchen")
        #expect(answer.status == 405 && answer.fields["allow"] == "DELETE, GET, PATCH")
        #expect(await world.stranger.status("GET", "nowhere/at/all") == 404)
    }
}
