public import PushModel

/// Whom a target turned out to mean.
public enum Recipients: Sendable, Equatable {
    case device(Registration)
    /// The members of a device group, those included whose registration has ended.
    case group([Registration])
    /// Members of topics, who are found chunk by chunk once the message is accepted.
    case fanOut
}

/// Finds the registrations that a target names.
public struct RecipientResolver: Sendable {
    private let lookup: RegistrationLookup
    private let groups: any DeviceGroupStore
    private let groupKeys: DeviceGroupKeyCodec?

    /// - Parameter groupKeys: `nil` when there are no device groups.
    public init(
        lookup: RegistrationLookup, groups: any DeviceGroupStore = NoDeviceGroups(),
        groupKeys: DeviceGroupKeyCodec? = nil
    ) {
        self.lookup = lookup
        self.groups = groups
        self.groupKeys = groupKeys
    }

    /// - Throws: `malformedToken`, `unregistered`, `senderIDMismatch`, or `unavailable` when the store does not answer.
    public func recipients(of target: SendTarget, in project: ProjectNumber) throws(SendError) -> Recipients {
        switch target {
        case .token(let text):
            if let key = groupKeys?.decode(text) { return .group(try members(of: key, in: project)) }
            return .device(try lookup.registration(token: text, in: project))
        case .fid(let fid): return .device(try lookup.registration(fid: fid, in: project))
        case .tokens: throw .recipientMissing
        case .topic, .condition, .segment: return .fanOut
        }
    }

    /// The registration of each token, or why there is none.
    func registrations(
        of tokens: [String], in project: ProjectNumber
    ) throws(SendError) -> [Result<Registration, SendError>] {
        let found = tokens.map { token in
            Result { () throws(SendError) in try lookup.registration(token: token, in: project) }
        }
        for case .failure(let error) in found where error.kind == .unavailable { throw error }
        return found
    }

    /// The current token of a registration, by which a sender knows a member of a group.
    func token(of registration: Registration) -> String { lookup.tokens.token(of: registration) }

    private func members(
        of key: (group: DeviceGroupID, project: ProjectNumber), in project: ProjectNumber
    ) throws(SendError) -> [Registration] {
        guard key.project == project else { throw .senderIDMismatch }
        do {
            guard let group = try groups.group(key.group), group.project == project else {
                throw SendError.unregistered
            }
            return try group.members.compactMap { try lookup.registrations.registration($0) }
        } catch let error as SendError {
            throw error
        } catch {
            throw .unavailable
        }
    }
}
