import JSON
import Timekeeping

@testable import Campaigns

/// Zones made of rules, so that tests do not depend on the version of the machine's tz database.
struct TestZones: TimeZones {
    static let rules = [
        "Europe/Berlin": "CET-1CEST,M3.5.0,M10.5.0/3", "America/New_York": "EST5EDT,M3.2.0,M11.1.0",
        "Australia/Lord_Howe": "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "Asia/Kolkata": "IST-5:30",
        "Europe/Dublin": "IST-1GMT0,M10.5.0,M3.5.0/1", "America/Nuuk": "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
        "Africa/Cairo": "EET-2EEST,M4.5.5/0,M10.5.4/24", "Pacific/Auckland": "NZST-12NZDT,M9.5.0,M4.1.0/3",
    ]

    func rules(named name: String) -> ZoneRules? {
        if name == "UTC" { return .utc }
        guard let text = Self.rules[name], let rule = PosixZoneRule(Array(text.utf8)) else { return nil }
        return ZoneRules(times: [], offsets: [], first: 0, later: rule)
    }
}

func time(_ text: String) -> Timestamp { Timestamp(rfc3339: text) ?? Timestamp(milliseconds: 0) }

func json(_ text: String) throws -> JSONObject { try JSONValue(parsing: text).object ?? [:] }

extension Campaign {
    static func composed(_ text: String) throws -> CampaignContent {
        var reader = CampaignReader()
        let content = reader.content(try json(text))
        guard reader.violations.isEmpty else { throw CampaignError.invalid(reader.violations) }
        return content
    }
}
