import FirebasePlatform
import Foundation
import Testing

@testable import FirebaseApple

@Suite struct `Local times for the system` {
    static let noon = LocalTime(year: 2030, month: 3, day: 4, hour: 12, minute: 0, second: 0)

    static func calendar(_ identifier: Calendar.Identifier, zone: String) throws -> Calendar {
        var calendar = Calendar(identifier: identifier)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        return calendar
    }

    @Test(
        arguments: [.gregorian, .buddhist, .japanese, .islamicUmmAlQura, .hebrew, .persian] as [Calendar.Identifier],
        ["UTC", "Asia/Bangkok", "America/New_York"])
    func `CON-03 are the same moment in the calendar that the user chose`(
        identifier: Calendar.Identifier, zone: String
    ) throws {
        let calendar = try Self.calendar(identifier, zone: zone)
        let gregorian = try Self.calendar(.gregorian, zone: zone)
        let moment = try #require(
            gregorian.date(from: DateComponents(year: 2030, month: 3, day: 4, hour: 12, minute: 0, second: 0)))
        let components = Self.noon.components(in: calendar)
        // What the system does with them: the next date that matches.
        #expect(
            calendar.nextDate(
                after: moment.addingTimeInterval(-86_400 * 100), matching: components, matchingPolicy: .nextTime)
                == moment)
    }

    @Test func `CON-03 count years as that calendar does`() throws {
        #expect(Self.noon.components(in: try Self.calendar(.buddhist, zone: "Asia/Bangkok")).year == 2573)
        #expect(Self.noon.components(in: try Self.calendar(.japanese, zone: "Asia/Tokyo")).year == 12)
        #expect(Self.noon.components(in: try Self.calendar(.gregorian, zone: "UTC")).year == 2030)
    }

    @Test func `move on when the clocks skip them`() throws {
        let skipped = LocalTime(year: 2030, month: 3, day: 31, hour: 2, minute: 30, second: 0)
        let components = skipped.components(in: try Self.calendar(.gregorian, zone: "Europe/Berlin"))
        #expect(components.hour == 3 && components.minute == 30)
    }
}
