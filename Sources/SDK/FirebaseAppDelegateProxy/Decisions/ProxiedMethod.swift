/// A delegate's method that the proxy takes over. The raw value is its selector.
enum ProxiedMethod: String, Sendable, Hashable, CaseIterable {
    case registered = "application:didRegisterForRemoteNotificationsWithDeviceToken:"
    case failedToRegister = "application:didFailToRegisterForRemoteNotificationsWithError:"
    case receivedFetching = "application:didReceiveRemoteNotification:fetchCompletionHandler:"
    /// The method of the time before background fetches. Macs have no other.
    case received = "application:didReceiveRemoteNotification:"
    case watchRegistered = "didRegisterForRemoteNotificationsWithDeviceToken:"
    case watchFailedToRegister = "didFailToRegisterForRemoteNotificationsWithError:"
    case watchReceivedFetching = "didReceiveRemoteNotification:fetchCompletionHandler:"
    case willPresent = "userNotificationCenter:willPresentNotification:withCompletionHandler:"
    case receivedResponse = "userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:"

    /// Result, receiver, selector and arguments as the Objective-C runtime writes them: all of them return nothing, and
    /// take objects and at most one block, which comes last.
    var typeEncoding: String {
        let arguments = rawValue.count { $0 == ":" }
        let hasBlock = rawValue.hasSuffix("ompletionHandler:")
        return "v@:" + String(repeating: "@", count: arguments) + (hasBlock ? "?" : "")
    }
}
