import FirebasePlatform

/// What the system tells an app about its life.
enum LifeCycleSignal: Sendable, Hashable, CaseIterable {
    case becameActive, willResignActive, enteredBackground, willEnterForeground, willTerminate

    /// The app's state after it, `nil` when that stays as it is.
    var state: AppState? {
        switch self {
        case .becameActive: .active
        case .willResignActive, .willEnterForeground: .inactive
        case .enteredBackground: .background
        case .willTerminate: nil
        }
    }

    /// What the SDK's parts hear of it.
    var event: AppStateEvent? {
        switch self {
        case .becameActive: .didBecomeActive
        case .enteredBackground: .didEnterBackground
        case .willTerminate: .willTerminate
        case .willResignActive, .willEnterForeground: nil
        }
    }
}
