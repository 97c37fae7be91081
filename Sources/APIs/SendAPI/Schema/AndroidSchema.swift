/// `AndroidNotification` and its newer form. Source: FCM HTTP v1 reference, `AndroidNotification`.
enum AndroidSchema {
    static let priority = EnumType("AndroidMessagePriority", ["NORMAL", "HIGH"])

    static let notification = ObjectType(
        "AndroidNotification",
        notificationFields + [("bypass_proxy_notification", .bool), ("proxy", .enumeration(proxy))])

    static let notificationV2 = ObjectType("AndroidNotificationV2", notificationFields + [("id", .int32)])

    private static let notificationFields: [(name: String, kind: ObjectType.Kind)] = [
        ("title", .string), ("body", .string), ("icon", .string), ("color", .string), ("sound", .string),
        ("tag", .string), ("click_action", .string), ("channel_id", .string), ("image", .string), ("ticker", .string),
        ("body_loc_key", .string), ("body_loc_args", .strings), ("title_loc_key", .string),
        ("title_loc_args", .strings), ("sticky", .bool), ("event_time", .timestamp), ("local_only", .bool),
        ("notification_priority", .enumeration(notificationPriority)), ("default_sound", .bool),
        ("default_vibrate_timings", .bool), ("default_light_settings", .bool), ("vibrate_timings", .durations),
        ("visibility", .enumeration(visibility)), ("notification_count", .int32),
        ("light_settings", .object(lightSettings)),
    ]

    private static let notificationPriority = EnumType(
        "AndroidNotification.NotificationPriority",
        [
            "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT", "PRIORITY_HIGH",
            "PRIORITY_MAX",
        ])

    private static let visibility = EnumType(
        "AndroidNotification.Visibility", ["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"])

    private static let proxy = EnumType(
        "AndroidNotification.Proxy", ["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"])

    private static let lightSettings = ObjectType(
        "LightSettings",
        [("color", .object(color)), ("light_on_duration", .duration), ("light_off_duration", .duration)])

    private static let color = ObjectType(
        "google.type.Color", [("red", .float), ("green", .float), ("blue", .float), ("alpha", .float)])
}
