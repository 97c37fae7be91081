@_exported public import Foundation
@_exported public import UIKit
@_exported public import UserNotifications

// What Apple's overlay of the module adds. Bodies are never compiled.

#if !os(watchOS)
    extension UIApplicationDelegate {
        public static func main() { fatalError() }
    }
#endif
