import FirebaseInstanceID
import FirebaseMessaging
public import FirebasePlatform

#if canImport(Darwin)
    public import Foundation
#endif

// swift-format-ignore: AlwaysUseLowerCamelCase
extension NotificationName {
    @available(*, deprecated, renamed: "InstanceIDTokenRefresh")
    public static var firInstanceIDTokenRefresh: NotificationName { InstanceIDTokenRefresh }

    @available(*, deprecated, renamed: "MessagingSendSuccess")
    public static var FIRMessagingSendSuccess: NotificationName { MessagingSendSuccess }

    @available(*, deprecated, renamed: "MessagingSendError")
    public static var FIRMessagingSendError: NotificationName { MessagingSendError }

    @available(*, deprecated, renamed: "MessagingMessagesDeleted")
    public static var FIRMessagingMessagesDeleted: NotificationName { MessagingMessagesDeleted }

    @available(*, deprecated, renamed: "MessagingConnectionStateChanged")
    public static var FIRMessagingConnectionStateChanged: NotificationName { MessagingConnectionStateChanged }

    @available(*, deprecated, renamed: "MessagingRegistrationTokenRefreshed")
    public static var FIRMessagingRegistrationTokenRefreshed: NotificationName { MessagingRegistrationTokenRefreshed }
}

// The names of the Objective-C constants, as Swift 2 saw them.

// swift-format-ignore: AlwaysUseLowerCamelCase
@available(*, deprecated, renamed: "NotificationName.InstanceIDTokenRefresh")
public var kFIRInstanceIDTokenRefreshNotification: NotificationName { .InstanceIDTokenRefresh }

// swift-format-ignore: AlwaysUseLowerCamelCase
@available(*, deprecated, renamed: "NotificationName.MessagingSendSuccess")
public var FIRMessagingSendSuccessNotification: NotificationName { .MessagingSendSuccess }

// swift-format-ignore: AlwaysUseLowerCamelCase
@available(*, deprecated, renamed: "NotificationName.MessagingSendError")
public var FIRMessagingSendErrorNotification: NotificationName { .MessagingSendError }

// swift-format-ignore: AlwaysUseLowerCamelCase
@available(*, deprecated, renamed: "NotificationName.MessagingMessagesDeleted")
public var FIRMessagingMessagesDeletedNotification: NotificationName { .MessagingMessagesDeleted }

// swift-format-ignore: AlwaysUseLowerCamelCase
@available(*, deprecated, renamed: "NotificationName.MessagingConnectionStateChanged")
public var FIRMessagingConnectionStateChangedNotification: NotificationName { .MessagingConnectionStateChanged }

// swift-format-ignore: AlwaysUseLowerCamelCase
@available(*, deprecated, renamed: "NotificationName.MessagingRegistrationTokenRefreshed")
public var FIRMessagingRegistrationTokenRefreshedNotification: NotificationName {
    .MessagingRegistrationTokenRefreshed
}

// The text constants of version 2 for systems before iOS 10.

// swift-format-ignore: AlwaysUseLowerCamelCase
@available(*, deprecated, renamed: "NotificationName.MessagingSendSuccess")
public var MessagingSendSuccessNotification: String { NotificationName.MessagingSendSuccess.rawValue }

// swift-format-ignore: AlwaysUseLowerCamelCase
@available(*, deprecated, renamed: "NotificationName.MessagingSendError")
public var MessagingSendErrorNotification: String { NotificationName.MessagingSendError.rawValue }

// swift-format-ignore: AlwaysUseLowerCamelCase
@available(*, deprecated, renamed: "NotificationName.MessagingMessagesDeleted")
public var MessagingMessagesDeletedNotification: String { NotificationName.MessagingMessagesDeleted.rawValue }

// swift-format-ignore: AlwaysUseLowerCamelCase
@available(*, deprecated, renamed: "NotificationName.MessagingConnectionStateChanged")
public var MessagingConnectionStateChangedNotification: String {
    NotificationName.MessagingConnectionStateChanged.rawValue
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@available(*, deprecated, renamed: "NotificationName.MessagingRegistrationTokenRefreshed")
public var MessagingRegistrationTokenRefreshedNotification: String {
    NotificationName.MessagingRegistrationTokenRefreshed.rawValue
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@available(*, deprecated, renamed: "NotificationName.InstanceIDTokenRefresh")
public var InstanceIDTokenRefreshNotification: String { NotificationName.InstanceIDTokenRefresh.rawValue }
