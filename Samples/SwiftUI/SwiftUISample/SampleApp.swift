import FirebaseCore
import FirebaseMessaging
import FirebaseMessagingDelegates
import SwiftUI

/// An app of SwiftUI that receives messages. The delegate adaptor is all it takes: `MessagingAppDelegate` configures
/// Firebase, registers with APNs and hands the device token over.
@main
struct SampleApp: App {
    #if os(macOS)
        @NSApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    #elseif os(watchOS)
        @WKApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    #else
        @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    #endif

    var body: some Scene {
        WindowGroup { InboxView(inbox: .shared) }
    }
}
