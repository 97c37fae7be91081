#if canImport(Darwin)
    import FirebasePlatform
    import Foundation
    import UserNotifications

    /// Schedules notifications with the user notification centre. Televisions show badges alone. A process
    /// without a bundle has no centre.
    struct UserNotificationScheduler: LocalNotificationScheduler {
        func schedule(_ notification: LocalNotification) {
            guard Bundle.main.bundleIdentifier != nil else { return }
            let request = UNNotificationRequest(
                identifier: notification.identifier, content: content(of: notification),
                trigger: UNCalendarNotificationTrigger(
                    dateMatching: notification.at.components(in: .current), repeats: false))
            UNUserNotificationCenter.current().add(request, withCompletionHandler: nil)
        }

        private func content(of notification: LocalNotification) -> UNNotificationContent {
            let content = UNMutableNotificationContent()
            if let badge = notification.badge { content.badge = NSNumber(value: badge) }
            #if !os(tvOS)
                if let title = notification.title { content.title = title }
                if let body = notification.body { content.body = body }
                if let category = notification.category { content.categoryIdentifier = category }
                content.userInfo = notification.userInfo.mapValues(\.any)
                content.sound = notification.sound.map(Self.sound)
            #endif
            return content
        }

        #if os(watchOS)
            private static func sound(_ name: String) -> UNNotificationSound { .default }
        #elseif !os(tvOS)
            private static func sound(_ name: String) -> UNNotificationSound {
                name == "default" ? .default : UNNotificationSound(named: UNNotificationSoundName(rawValue: name))
            }
        #endif
    }
#endif
