public import Timekeeping

/// What a message says of the campaign that it belongs to, so that apps can report on it.
public struct CampaignMark: Sendable, Equatable {
    public var id: Int64
    /// The campaign's name; reports show it.
    public var label: String
    /// When the campaign was sent.
    public var time: Timestamp
    /// Whether the device shows it at a time of its own.
    public var usesRecipientTime: Bool
    /// Whether what the user does afterwards counts for the campaign.
    public var tracksConversions: Bool

    public init(id: Int64, label: String, time: Timestamp, usesRecipientTime: Bool, tracksConversions: Bool) {
        self.id = id
        self.label = label
        self.time = time
        self.usesRecipientTime = usesRecipientTime
        self.tracksConversions = tracksConversions
    }

    /// As the SDKs read it, texts all of them. Source: Firebase SDKs, the `google.c.a.` keys.
    public var entries: [Message.DataEntry] {
        var entries = [
            Message.DataEntry(key: "google.c.a.c_id", value: String(id)),
            Message.DataEntry(key: "google.c.a.c_l", value: label),
            Message.DataEntry(key: "google.c.a.ts", value: String(time.seconds)),
            Message.DataEntry(key: "google.c.a.udt", value: usesRecipientTime ? "1" : "0"),
        ]
        if tracksConversions { entries.append(.init(key: "google.c.a.tc", value: "1")) }
        return entries
    }
}
