import Campaigns
import JSON
import PushCore
import PushModel
import Timekeeping

/// A campaign as its row has it.
enum CampaignRow {
    /// Reads the columns of the queries for campaigns, in their order.
    static func read(_ row: Row) throws(StoreError) -> Campaign {
        guard let state = Campaign.State(rawValue: row.text(4)),
            let json = (try? JSONValue(parsing: row.blob(6)))?.object, let content = CampaignContent(stored: json)
        else { throw .damaged("a campaign") }
        return Campaign(
            id: CampaignID(value: row.integer(0)), project: ProjectNumber(value: UInt64(bitPattern: row.integer(1))),
            revision: row.integer(2), version: row.integer(3), state: state, stateReason: row.text(5),
            content: content, createdAt: Timestamp(milliseconds: row.integer(7)), createdBy: row.text(8),
            updatedAt: Timestamp(milliseconds: row.integer(9)), publishedAt: row.time(10),
            next: row.isNull(11) ? nil : occurrence(row, from: 11), lastRunAt: row.time(14), runs: row.integer(15))
    }

    /// Three columns from a place on.
    static func occurrence(_ row: Row, from column: Int32) -> Occurrence {
        Occurrence(
            at: Timestamp(milliseconds: row.integer(column)),
            local: LocalDateTime(secondsSince1970: row.integer(column + 1)),
            audience: Occurrence.Audience(stored: row.text(column + 2)))
    }
}

extension Row {
    func time(_ column: Int32) -> Timestamp? { isNull(column) ? nil : Timestamp(milliseconds: integer(column)) }
}

extension Occurrence.Audience {
    /// Names of zones have no commas.
    var stored: String {
        switch self {
        case .everyone: "everyone"
        case .apple: "apple"
        case .zones(let names): "zones:" + names.joined(separator: ",")
        }
    }

    init(stored: String) {
        if stored == "apple" {
            self = .apple
        } else if stored.hasPrefix("zones:") {
            self = .zones(stored.dropFirst(6).split(separator: ",").map(String.init))
        } else {
            self = .everyone
        }
    }
}
