public import JSON
import PushCore
public import PushModel

/// Custom properties of app instances, which segments ask for.
extension CampaignService {
    public func properties(of registration: Registration) throws(CampaignError) -> [String: String] {
        try asking { () throws(StoreError) in try store.properties(of: registration) }
    }

    /// The live registration that a token or a FID names.
    public func registration(_ name: String, in project: ProjectNumber) throws(CampaignError) -> Registration {
        do {
            return try sending.registration(named: name.trimmed, in: project)
        } catch {
            if error.kind == .unavailable { throw .store(.unavailable(error.message)) }
            throw .notFound
        }
    }

    /// Sets the properties that are named; `null` takes one away, the others stay.
    ///
    /// - Returns: All properties afterwards.
    public func setProperties(
        _ json: JSONObject, of registration: Registration
    ) async throws(CampaignError) -> [String: String] {
        let changes = try Self.changes(json)
        do {
            try await store.setProperties(changes, of: registration)
        } catch {
            switch error {
            case .conflict(let text): throw .invalid([.init(field: "properties", description: text)])
            case .notFound: throw .notFound
            case .unavailable: throw .store(error)
            }
        }
        return try asking { () throws(StoreError) in try store.properties(of: registration) }
    }

    private static func changes(_ json: JSONObject) throws(CampaignError) -> [String: String?] {
        var changes: [String: String?] = [:]
        var violations: [SendError.Violation] = []
        for member in json {
            let field = "properties.\(member.name)"
            guard (1...PropertyLimits.nameBytes).contains(member.name.utf8.count) else {
                violations.append(
                    .init(field: field, description: "A name has 1 to \(PropertyLimits.nameBytes) bytes."))
                continue
            }
            switch member.value {
            case .null: changes.updateValue(nil, forKey: member.name)
            case .string(let text) where text.utf8.count <= PropertyLimits.valueBytes: changes[member.name] = text
            case .number(let number) where number.literal.utf8.count <= 32: changes[member.name] = number.literal
            case .bool(let value): changes[member.name] = value ? "true" : "false"
            default:
                violations.append(
                    .init(
                        field: field,
                        description: "A value is a text of at most \(PropertyLimits.valueBytes) bytes, or null."))
            }
        }
        guard violations.isEmpty else { throw .invalid(violations) }
        guard changes.count <= PropertyLimits.perInstance else {
            throw .invalid([
                .init(field: "properties", description: "At most \(PropertyLimits.perInstance) properties.")
            ])
        }
        return changes
    }
}
