import Bytes
import GoogleAPI
import JSON
import PushCore
import PushModel
import Reports
import Timekeeping

/// Which part of the list is asked for, and how it is written. Source: FCM Data API, `pageSize` and `pageToken`.
struct DeliveryDataPage {
    static let defaultSize = 1000
    static let maximumSize = 10_000

    var size: Int
    /// The last row of the page before.
    var after: (day: Int64, label: String)?

    init(_ request: RoutedRequest) throws(GoogleError) {
        size = try Self.size(request.queryValue("pageSize") ?? request.queryValue("page_size"))
        after = try Self.place(request.queryValue("pageToken") ?? request.queryValue("page_token"))
    }

    private static func size(_ text: String?) throws(GoogleError) -> Int {
        guard let text, !text.isEmpty else { return defaultSize }
        guard let size = Int(text), size >= 0 else {
            throw .invalidField("page_size", "Invalid page size: it must be a number that is not negative.")
        }
        return size == 0 ? defaultSize : min(size, maximumSize)
    }

    private static func place(_ text: String?) throws(GoogleError) -> (day: Int64, label: String)? {
        guard let text, !text.isEmpty else { return nil }
        guard let bytes = Base64URL.decode(text), let place = String(validating: bytes, as: UTF8.self),
            let mark = place.firstIndex(of: " "), let day = Int64(place[..<mark])
        else { throw .invalidField("page_token", "Invalid page token.") }
        return (day, String(place[mark...].dropFirst()))
    }

    /// - Parameter rows: One more than the page takes when there is another page.
    func answer(_ rows: [DeliveryDataRow], app: String) -> JSONObject {
        let shown = rows.prefix(size)
        var answer: JSONObject = [:]
        if !shown.isEmpty { answer["androidDeliveryData"] = .array(shown.map { $0.json(app: app) }) }
        if rows.count > size, let last = shown.last {
            answer["nextPageToken"] = .string(Base64URL.encode(Array("\(last.day) \(last.label)".utf8)))
        }
        return answer
    }
}

extension DeliveryDataRow {
    fileprivate func json(app: String) -> JSONValue {
        let date = CalendarTime(Timestamp(seconds: day * 86_400))
        var row: JSONObject = [
            "appId": .string(app),
            "date": [
                "year": .integer(Int64(date.year)), "month": .integer(Int64(date.month)),
                "day": .integer(Int64(date.day)),
            ],
        ]
        if !label.isEmpty { row["analyticsLabel"] = .string(label) }
        row["data"] = [
            "countMessagesAccepted": .string(String(messages)),
            "countNotificationsAccepted": .string(String(notifications)),
            "messageOutcomePercents": outcomes, "deliveryPerformancePercents": performance,
            // Nothing lowers priorities here.
            "messageInsightPercents": ["priorityLowered": 0],
        ]
        return .object(row)
    }

    private var outcomes: JSONValue {
        [
            "delivered": percent(delivered, of: messages), "pending": percent(pending, of: messages),
            "collapsed": percent(collapsed, of: messages),
            "droppedTooManyPendingMessages": percent(droppedTooManyPending, of: messages),
            "droppedDeviceInactive": percent(droppedDeviceInactive, of: messages),
            "droppedTtlExpired": percent(expired, of: messages),
        ]
    }

    /// Of what was delivered. Why a device was late is not known: mostly it was not connected.
    private var performance: JSONValue {
        [
            "deliveredNoDelay": percent(delivered - delayed, of: delivered),
            "delayedDeviceOffline": percent(delayed, of: delivered),
        ]
    }

    /// To a hundredth.
    private func percent(_ part: Int, of whole: Int) -> JSONValue {
        guard whole > 0 else { return 0 }
        let share = (Double(max(0, part)) * 10_000 / Double(whole)).rounded() / 100
        return JSONNumber(share).map { .number($0) } ?? 0
    }
}
