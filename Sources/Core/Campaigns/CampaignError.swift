public import PushCore
public import PushModel

/// Why a campaign was not changed or shown.
public enum CampaignError: Error, Sendable, Equatable {
    /// Fields break rules.
    case invalid([SendError.Violation])
    case notFound
    /// The campaign is in a state that does not allow it, or somebody else changed it; the text says what to do.
    case conflict(String)
    case store(StoreError)
}
