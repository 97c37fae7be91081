import PushModel

/// Messages that are for one package only. Source: FCM HTTP v1, `AndroidConfig.restricted_package_name`.
extension Message {
    /// Whether the recipient may have the message. The restriction is about Android apps; others have no package.
    func isFor(_ recipient: Registration) -> Bool {
        guard let package = android?.restrictedPackageName, !package.isEmpty,
            case .device = recipient.channel
        else { return true }
        return package == recipient.bundleID
    }

    /// Those who may have the message; nobody is looked at when it is for everybody.
    func addressees(among recipients: [Registration]) -> [Registration] {
        guard android?.restrictedPackageName?.isEmpty == false else { return recipients }
        return recipients.filter(isFor)
    }
}

extension SendError {
    /// The message is for another app than the one that the token belongs to.
    static let otherPackage = SendError(
        .packageMismatch, "The restricted package name is not that of the registration.")
}
