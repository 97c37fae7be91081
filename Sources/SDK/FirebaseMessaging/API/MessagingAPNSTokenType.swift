/// Which APNs environment a device token belongs to.
public enum MessagingAPNSTokenType: Int, Sendable, Hashable {
    /// Find out from the app's provisioning profile.
    case unknown = 0
    case sandbox = 1
    case prod = 2
}
