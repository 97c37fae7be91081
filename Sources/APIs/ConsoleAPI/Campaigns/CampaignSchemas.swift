import Campaigns
import PushModel

/// The shapes of campaigns. What they cannot say, such as reserved keys of data, `CampaignReader` checks.
enum CampaignSchemas {
    static let all: [String: ConsoleSchema] = [
        "Campaign": campaign, "CampaignDraft": draft, "CampaignTarget": target, "CampaignSchedule": schedule,
        "SegmentRule": rule, "CampaignRun": run,
    ]

    private static func word(_ bytes: Int) -> ConsoleSchema { .nullable(.text(upTo: bytes)) }

    private static let contentMembers: [ConsoleSchema.Member] = [
        .required("name", .text(1, upTo: CampaignLimits.nameBytes), "For the people here; users do not see it."),
        .optional(
            "notification",
            .nullable(
                .object([
                    .optional("title", word(4 * CampaignLimits.textCodePoints)),
                    .optional("body", word(4 * CampaignLimits.textCodePoints)),
                    .optional("imageUrl", word(CampaignLimits.urlBytes), "https only."),
                ]))),
        .optional("options", .nullable(options)),
        .optional("target", .nullable(.reference("CampaignTarget")), "A draft may have none."),
        .optional("schedule", .nullable(.reference("CampaignSchedule")), "A draft may have none."),
    ]

    private static let options: ConsoleSchema = .object([
        .optional(
            "data", .nullable(.map(.text(), maximumMembers: CampaignLimits.dataEntries)),
            "Custom data. The keys from, message_type, aps, google.* and gcm.* are reserved."),
        .optional("sound", word(CampaignLimits.wordBytes), "default, or the name of a sound of the app."),
        .optional("badge", .nullable(.integer(CampaignLimits.badge))),
        .optional("clickAction", word(CampaignLimits.urlBytes)),
        .optional("priority", .nullable(.choice(["HIGH", "NORMAL"]))),
        .optional("expirySeconds", .nullable(.integer(TimeToLive.allowedSeconds)), "Counted from the send."),
        .optional("analyticsLabel", word(50)), .optional("conversionEvent", word(40)),
        .optional("androidChannel", word(CampaignLimits.wordBytes)),
    ])

    /// What the service adds; it may be sent back, and is ignored then.
    private static let serviceMembers: [ConsoleSchema.Member] = [
        .optional("campaignId", .text()),
        .optional("state", .choice(Campaign.State.allCases.map(\.rawValue))),
        .optional("stateReason", .text(), "Why it failed, or rests."),
        .optional("revision", .count, "Counts edits. An edit names the one that it changes."),
        .optional("createdAt", .time), .optional("updatedAt", .time), .optional("createdBy", .text()),
        .optional("publishedAt", .time), .optional("nextRunAt", .time, "When it is sent next."),
        .optional("lastRunAt", .time), .optional("runs", .count, "How often it was due."),
        .optional(
            "counts",
            .object([
                .required("targeted", .count), .required("sent", .count), .required("failed", .count),
                .required("expired", .count), .required("opened", .count),
            ])),
    ]

    private static let draft: ConsoleSchema = .object(contentMembers + serviceMembers)
    private static let campaign: ConsoleSchema = .object(contentMembers + serviceMembers)

    private static let target: ConsoleSchema = .object([
        .optional("topic", .text(1, upTo: TopicName.maximumCharacters)),
        .optional("condition", .text(1, upTo: 8_192)),
        .optional("device", .text(1, upTo: 4_096), "A registration token or a Firebase installation id."),
        .optional(
            "segment",
            .object([.required("all", .list(.reference("SegmentRule"), maximumItems: Segment.maximumRules))]),
            "All rules hold; no rule means everybody."),
    ])

    private static let names: ConsoleSchema = .object([.required("in", .list(.text(1, upTo: 64), maximumItems: 200))])
    private static let age: ConsoleSchema = .object([
        .required("op", .choice(["before", "after", "withinDays", "olderThanDays"])),
        .required("value", .anyOf([.text(1, upTo: 64), .integer(0...36_500)]), "A date, a time, or a number of days."),
    ])

    private static let rule: ConsoleSchema = .object([
        .optional("app", .object([.required("appIds", .list(.text(1, upTo: 256), maximumItems: 200))])),
        .optional(
            "version",
            .object([
                .required("op", .choice(["is", "isNot", "contains", "matches", "atLeast", "below"])),
                .required("value", .text(1, upTo: 256), "With matches, * stands for any text."),
            ])),
        .optional("language", names, "de, or pt-BR with its country."), .optional("country", names, "DE"),
        .optional("firstOpen", age), .optional("lastEngagement", age),
        .optional(
            "property",
            .object([
                .required("name", .text(1, upTo: 256)),
                .required("op", .choice(["is", "isNot", "exists", "contains", "greaterThan", "lessThan"])),
                .optional("value", .anyOf([.text(upTo: 256), .number])),
            ])),
        .optional("not", .reference("SegmentRule")),
        .optional("all", .list(.reference("SegmentRule"), maximumItems: Segment.maximumRules)),
    ])

    private static let schedule: ConsoleSchema = .object([
        .required("kind", .choice(["NOW", "AT", "DAILY", "WEEKLY", "CUSTOM"])),
        .optional("at", word(32), "A local day and time: 2030-03-31T02:30."),
        .optional("timeZone", word(64), "A name of the tz database, or RECIPIENT."),
        .optional("timeOfDay", word(8), "09:00"),
        .optional(
            "weekdays",
            .nullable(.list(.choice(["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]), maximumItems: 7))),
        .optional("everyDays", .nullable(.integer(CampaignLimits.everyDays))),
        .optional("dates", .nullable(.list(.text(upTo: 10, format: "date"), maximumItems: CampaignLimits.dates))),
        .optional("startDate", word(10)), .optional("endDate", word(10), "The last day."),
        .optional("ifMissed", .nullable(.choice(["SEND", "SKIP"]))),
    ])

    private static let run: ConsoleSchema = .object([
        .required("number", .count), .required("dueAt", .time), .required("localTime", .text()),
        .required("audience", .text(), "everyone; or who gets it in the recipients' time zones."),
        .required("ranAt", .time),
        .required("result", .choice(CampaignRun.Result.allCases.map(\.rawValue))),
        .required("missed", .count, "Earlier times that passed without being sent."),
        .optional("messageId", .text()), .required("reason", .text()),
        .required(
            "counts",
            .object([
                .required("targeted", .count), .required("sent", .count), .required("failed", .count),
                .required("expired", .count),
            ])),
        .required("isSplitting", .flag, "Whether recipients are still being found."),
    ])
}
