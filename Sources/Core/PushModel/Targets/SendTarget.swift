/// Whom a sender named. The text of a token is kept as sent: only the registry can tell what it is.
public enum SendTarget: Hashable, Sendable {
    /// A registration token, a FID in its place, or a device group's key.
    case token(String)
    /// Several devices: a list of registration tokens, or the key of what turned out to be a device group.
    case tokens([String])
    case fid(FirebaseInstallationID)
    case topic(TopicName)
    case condition(TopicCondition)
    /// Whoever fits when the message is split: a campaign's target.
    case segment(Segment)
}
