import PushCore
import PushModel

/// Who is behind a notification key, as tokens.
struct DeviceGroupMembers: Sendable {
    let groups: any DeviceGroupStore
    let registrations: any RegistrationStore
    let keys: DeviceGroupKeyCodec
    let tokens: RegistrationTokenCodec

    /// - Returns: The tokens of all members, the dead ones too; `nil` when the text is no notification key.
    /// - Throws: `unregistered` for a group that is gone, `senderIDMismatch` for one of another project.
    func tokens(ofKey text: String, in project: ProjectNumber) throws(SendError) -> [String]? {
        guard let content = keys.decode(text) else { return nil }
        guard content.project == project else { throw .senderIDMismatch }
        do {
            guard let group = try groups.group(content.group), !group.members.isEmpty else {
                throw SendError.unregistered
            }
            return try group.members.compactMap { try registrations.registration($0).map(tokens.token(of:)) }
        } catch let error as SendError {
            throw error
        } catch {
            throw .unavailable
        }
    }
}
