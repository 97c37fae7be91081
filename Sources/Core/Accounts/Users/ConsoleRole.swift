/// What a person may do in a project. Each role may do what the ones before it may.
public enum ConsoleRole: String, Sendable, CaseIterable, Comparable {
    /// Sees everything of the project but secrets.
    case viewer
    /// Composes and sends, and changes what devices have.
    case editor
    /// Changes apps, keys and the project itself.
    case administrator

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .editor: 1
        case .administrator: 2
        }
    }

    public static func < (left: ConsoleRole, right: ConsoleRole) -> Bool {
        left.rank < right.rank
    }
}
