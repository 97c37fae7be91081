import AppServerTesting
import GoogleAPI
import HTTPSemantics
import JSON
import PushCore
import PushModel
import Reports
import SQLiteStore
import Testing
import Timekeeping

@testable import ConsoleAPI

@Suite struct `Reports in the console's API` {
    @Test func `count what was sent, with totals and as a table`() async throws {
        let world = try await InspectionWorld()
        let (phone, _) = try await world.world.register(1)
        _ = try await world.send("one", to: phone, label: "spring")
        _ = try await world.send("two", to: phone, outcome: .expired)
        let report = try await world.json("report.get")
        #expect(report["totals"]?["targeted"]?.int64 == 2 && report["totals"]?["accepted"]?.int64 == 1)
        #expect(report["totals"]?["failures"]?["EXPIRED"]?.int64 == 1 && report["totals"]?["failed"]?.int64 == 1)
        #expect(report["rows"]?.array?.map { $0["key"]?.string } == ["2023-11-14"])
        let labels = try await world.json("report.get", "?groupBy=label&from=2023-11-14&to=2023-11-14")
        #expect(labels["rows"]?.array?.map { $0["key"]?.string } == ["", "spring"])
        let csv = try await world.call("report.csv", "?groupBy=label").text
        #expect(
            csv.hasPrefix("label,targeted,sent,accepted,received,displayed,opened,dismissed,failed,failed EXPIRED\r\n"))
        #expect(csv.contains("spring,1,1,1,0,0,0,0,0,0\r\n"))
        #expect(try await world.json("report.get", "?from=2023-11-15")["rows"]?.array?.isEmpty == true)
        let campaign = try await world.json("report.campaign", path: [("campaign", "7")])
        #expect(campaign["totals"]?["targeted"]?.int64 == 0)
    }

    @Test func `of more rows than a page are read page by page, with the totals of all`() throws {
        var counts = ReportCounts()
        counts.targeted = 2
        let rows = (0..<2_500).map { ReportRow(key: "label-\($0)", counts: counts) }
        var (keys, key, pages) = ([String?](), String?.none, 0)
        repeat {
            let answer = try ReportDocuments.answer(rows, after: key).response
            let body = try #require(try JSONValue(parsing: answer.body).object)
            keys += body["rows"]?.array?.map { $0["key"]?.string } ?? []
            #expect(body["totals"]?["targeted"]?.int64 == 5_000)
            key = try ConsolePage(token: body["nextPageToken"]?.string).key
            pages += 1
        } while key != nil
        #expect(keys == rows.map(\.key) && pages == 3)
        #expect(throws: GoogleError.self) { try ReportDocuments.answer(rows, after: "another") }
    }

    static let wrong = [
        ("report.get", "?from=yesterday"), ("report.get", "?to=2026-02-30"), ("report.get", "?campaignId=x"),
        ("report.get", "?from=2026-01-02&to=2026-01-01"), ("delivery.export", "?from=1"),
        ("report.csv", "?from=2026-13-01"),
    ]

    @Test(arguments: wrong) func `refuse days that are none`(name: String, query: String) async throws {
        let world = try await InspectionWorld()
        let error = await #expect(throws: GoogleError.self) { try await world.call(name, query) }
        #expect(error?.httpStatus == 400)
    }

    @Test func `export each event, piece by piece`() async throws {
        let world = try await InspectionWorld()
        let (phone, _) = try await world.world.register(1)
        for number in 0..<3 { _ = try await world.send("n\(number)", to: phone) }
        for (format, lines) in [("csv", 4), ("jsonl", 3)] {
            let response = try await world.call("delivery.export", "?format=\(format)")
            var body = response.body
            let stream = try #require(response.stream)
            while let piece = await stream.next() { body += piece }
            #expect(body.count { $0 == UInt8(ascii: "\n") } == lines)
            #expect(String(decoding: body, as: UTF8.self).contains(phone.fid))
        }
    }
}
