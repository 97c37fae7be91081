/// Opens links carried by messages, the way the system opens a universal link.
public protocol LinkOpener: Sendable {
    /// The type of the user activity, as the literal that Apple's constant holds.
    static var activityType: String { get }
    /// Hands the app a browsing activity for this URL. Called on the main executor.
    func open(url: String)
}

extension LinkOpener {
    public static var activityType: String { "NSUserActivityTypeBrowsingWeb" }
}
