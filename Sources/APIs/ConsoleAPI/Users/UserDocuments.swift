import Accounts
import GoogleAPI
import JSON
import PushCore
import PushModel
import Timekeeping

/// Users as JSON. Their roles are by project ids; projects that are gone are left out.
struct UserDocuments: Sendable {
    static let schema = ConsoleSchema.object([
        .required("userId", .text(1)),
        .required("name", .text(1, upTo: UserName.maximumCharacters)),
        .required("isAdministrator", .flag, "Whether the person may do everything, in all projects."),
        .required("roles", .map(roleSchema, maximumMembers: 100_000), "The role in each project, by its id."),
        .required("mustChangePassword", .flag, "Whether nothing else is allowed until the password is changed."),
        .required("createdAt", .time),
        .optional("lastSignInAt", .time),
    ])
    static let roleSchema = ConsoleSchema.choice(ConsoleRole.allCases.map(\.rawValue))

    let directory: any ProjectDirectory

    func json(_ user: ConsoleUser) -> JSONObject {
        let roles = user.roles.compactMap { number, role in
            directory.project(number: number).map { ($0.id.text, JSONValue.string(role.rawValue)) }
        }
        var json: JSONObject = [
            "userId": .string(user.id.description), "name": .string(user.name.text),
            "isAdministrator": .bool(user.isAdministrator),
            "roles": .object(JSONObject(roles.sorted { $0.0 < $1.0 })),
            "mustChangePassword": .bool(user.mustChangePassword), "createdAt": .string(user.createdAt.rfc3339),
        ]
        if let time = user.lastSignInAt { json["lastSignInAt"] = .string(time.rfc3339) }
        return json
    }
}
