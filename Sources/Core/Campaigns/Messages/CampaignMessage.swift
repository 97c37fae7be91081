import JSON
import PushCore
public import PushModel
public import Timekeeping

/// Makes of a campaign the request that every door makes.
public struct CampaignMessage: Sendable {
    /// A device that slept through the moment still shows it for so long, even when nothing is to be kept.
    private static let shortestLocalSeconds: Int64 = 3600

    public let content: CampaignContent
    /// `nil` for a test: it counts for no campaign.
    public let id: CampaignID?
    public let due: Occurrence
    /// When it is sent: what the expiry is counted from.
    public let now: Timestamp

    public init(_ content: CampaignContent, id: CampaignID?, due: Occurrence, now: Timestamp) {
        self.content = content
        self.id = id
        self.due = due
        self.now = now
    }

    public func request(to target: SendTarget, in project: ProjectID) -> SendRequest {
        SendRequest(project: project, target: target, message: due.audience == .apple ? localMessage : message)
    }

    /// What a segment is narrowed to at this occurrence.
    public func narrowed(_ segment: Segment) -> Segment {
        let segment = segment.resolved(at: now)
        switch due.audience {
        case .everyone: return segment
        case .apple: return segment.adding(.isApple(true))
        case .zones(let names):
            return segment.adding(.isApple(false)).adding(.timeZone(names, orUnknown: names.contains("UTC")))
        }
    }

    private var mark: CampaignMark? {
        id.map { id in
            CampaignMark(
                id: id.value, label: content.name, time: now, usesRecipientTime: due.audience != .everyone,
                tracksConversions: content.options.conversionEvent != nil)
        }
    }

    // MARK: Shown at once

    private var message: Message {
        let options = content.options
        return Message(
            data: options.data,
            notification: .init(title: content.title, body: content.body, image: content.imageURL),
            apns: APNsOptions(
                headers: appleHeaders(priority: options.priority == .high ? "10" : "5", seconds: 0),
                payload: ["aps": .object(aps)]),
            android: android, webpush: web, analyticsLabel: options.analyticsLabel, campaign: mark)
    }

    private var aps: JSONObject {
        var aps = JSONObject()
        if let sound = content.options.sound { aps["sound"] = .string(sound) }
        if let badge = content.options.badge { aps["badge"] = .integer(badge) }
        if let action = content.options.clickAction { aps["category"] = .string(action) }
        return aps
    }

    /// - Parameter seconds: How long it waits on the device before its life begins.
    private func appleHeaders(priority: String, seconds: Int64) -> [Message.DataEntry] {
        let life = min(content.options.expiry.seconds + seconds, ApplePushTranslator.defaultLifetimeSeconds)
        return [
            .init(key: "apns-priority", value: priority),
            .init(key: "apns-expiration", value: life == 0 ? "0" : String(now.adding(seconds: life).seconds)),
        ]
    }

    private var android: AndroidOptions {
        var notification = JSONObject()
        if let sound = content.options.sound { notification["sound"] = .string(sound) }
        if let channel = content.options.androidChannel { notification["channel_id"] = .string(channel) }
        if let action = content.options.clickAction, !isLink(action) { notification["click_action"] = .string(action) }
        return AndroidOptions(
            priority: content.options.priority, timeToLive: content.options.expiry,
            notification: notification.isEmpty ? nil : notification)
    }

    private var web: WebPushOptions {
        let action = content.options.clickAction
        return WebPushOptions(
            headers: [
                .init(key: "ttl", value: String(content.options.expiry.seconds)),
                .init(key: "urgency", value: content.options.priority.rawValue),
            ], link: action.flatMap { isLink($0) ? $0 : nil })
    }

    private func isLink(_ text: String) -> Bool { text.prefix(8).lowercased() == "https://" && text.utf8.count > 8 }

    // MARK: Shown at the device's own time

    /// A silent push, from which the app's SDK makes a notification of its own at the time. Source: Firebase SDK,
    /// `FIRMessagingContextManagerService`.
    private var localMessage: Message {
        let waits = max(0, due.local.secondsSince1970 + Occurrences.lastZoneSeconds - now.seconds)
        return Message(
            data: content.options.data,
            apns: APNsOptions(headers: appleHeaders(priority: "5", seconds: waits), payload: localPayload),
            android: AndroidOptions(priority: .normal, timeToLive: content.options.expiry),
            analyticsLabel: content.options.analyticsLabel, campaign: mark)
    }

    private var localPayload: JSONObject {
        let end = due.local.adding(seconds: max(content.options.expiry.seconds, Self.shortestLocalSeconds))
        var payload: JSONObject = [
            "aps": ["content-available": 1],
            "google.c.cm.lt_start": .string(spaced(due.local)), "google.c.cm.lt_end": .string(spaced(end)),
        ]
        let texts = [
            ("title", content.title), ("body", content.body), ("sound", content.options.sound),
            ("badge", content.options.badge.map { String($0) }), ("click_action", content.options.clickAction),
        ]
        for (name, text) in texts {
            if let text { payload["gcm.notification.\(name)"] = .string(text) }
        }
        return payload
    }

    /// `2030-03-04 12:00:00`
    private func spaced(_ time: LocalDateTime) -> String {
        time.description.replacing("T", with: " ")
    }
}

extension String {
    fileprivate func replacing(_ mark: Character, with other: Character) -> String {
        String(map { $0 == mark ? other : $0 })
    }
}
