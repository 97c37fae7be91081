import JSON

/// The description of the API for machines: OpenAPI 3.1, made of the endpoints' own declarations.
struct OpenAPIDocument {
    static let commonSchemas: [String: ConsoleSchema] = [
        "Error": .object([
            .required(
                "error",
                .object([
                    .required("code", .integer(400...599), "The HTTP status."),
                    .required("status", .text(1), "The code of google.rpc."),
                    .required("message", .text(), "What is wrong, and what to do about it."),
                    .optional("details", .list(.map(.anything, maximumMembers: 100), maximumItems: 100)),
                ]))
        ])
    ]

    let parts: [ConsolePart]
    let schemas: [String: ConsoleSchema]

    var json: JSONObject {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Pharos console", "version": "1",
                "description": """
                Sign in with POST /session; changes need the X-CSRF-Token that it answers. Scripts show a token of \
                POST /tokens instead, as Authorization: Bearer, and need no other field.
                """,
            ],
            "servers": [["url": "/console/v1"]],
            "tags": .array(parts.map { ["name": .string($0.title)] }),
            "paths": .object(paths),
            "components": [
                "schemas": .object(
                    JSONObject(schemas.sorted { $0.key < $1.key }.map { ($0.key, .object($0.value.json)) })),
                "securitySchemes": [
                    "token": ["type": "http", "scheme": "bearer"],
                    "session": ["type": "apiKey", "in": "cookie", "name": .string(SessionCookie.name)],
                ],
            ],
        ]
    }

    private var paths: JSONObject {
        var paths = JSONObject()
        for part in parts {
            for endpoint in part.endpoints {
                let path = "/" + endpoint.path
                var item = paths[path]?.object ?? JSONObject()
                item[endpoint.method.lowercased()] = .object(operation(endpoint, of: part))
                paths[path] = .object(item)
            }
        }
        return paths
    }

    private func operation(_ endpoint: ConsoleEndpoint, of part: ConsolePart) -> JSONObject {
        var operation: JSONObject = [
            "operationId": .string(endpoint.name), "summary": .string(endpoint.summary),
            "tags": [.string(part.title)],
            "security": endpoint.access == .anybody ? [] : [["token": []], ["session": []]],
        ]
        let parameters = pathParameters(endpoint) + queryParameters(endpoint)
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if let body = endpoint.body {
            operation["requestBody"] = [
                "required": true, "content": ["application/json": ["schema": .object(body.json)]],
            ]
        }
        operation["responses"] = [
            "\(endpoint.status)": .object(usualAnswer(endpoint)),
            "default": [
                "description": "What is wrong.",
                "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Error"]]],
            ],
        ]
        return operation
    }

    private func pathParameters(_ endpoint: ConsoleEndpoint) -> [JSONValue] {
        endpoint.pathParameters.map { name in
            ["name": .string(name), "in": "path", "required": true, "schema": ["type": "string", "minLength": 1]]
        }
    }

    private func queryParameters(_ endpoint: ConsoleEndpoint) -> [JSONValue] {
        endpoint.query.map { parameter in
            [
                "name": .string(parameter.name), "in": "query", "required": .bool(parameter.isRequired),
                "description": .string(parameter.description), "schema": .object(parameter.schema.json),
            ]
        }
    }

    private func usualAnswer(_ endpoint: ConsoleEndpoint) -> JSONObject {
        switch endpoint.answer {
        case .json(let schema):
            ["description": "Done.", "content": ["application/json": ["schema": .object(schema.json)]]]
        case .other(let types):
            [
                "description": "Done.",
                "content": .object(JSONObject(types.map { ($0, ["schema": ["type": "string"]]) })),
            ]
        }
    }
}
