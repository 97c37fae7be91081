public enum AppState: Sendable, Hashable {
    case active, inactive, background
    /// There is no application object: an app extension.
    case absent
}

public enum AppStateEvent: Sendable, Hashable {
    case didBecomeActive, didEnterBackground, willTerminate
}

/// The life cycle of the hosting app.
public protocol AppStateSource: Sendable {
    var current: AppState { get }
    /// Calls `handler` for each event, on the main executor, until the observation is cancelled.
    func observe(_ handler: @escaping @Sendable (AppStateEvent) -> Void) -> Observation
}
