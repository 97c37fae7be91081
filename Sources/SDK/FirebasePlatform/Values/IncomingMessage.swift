/// What the system told the app of one message. Each carries the payload.
public enum IncomingMessage: Sendable, Hashable {
    /// It arrived, or the user answered its notification.
    case received([String: PayloadValue])
    /// The user put its notification away. The system tells that only of categories with `customDismissAction`.
    case dismissed([String: PayloadValue])
}
