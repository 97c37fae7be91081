import Bytes
import FirebasePlatform
import JSON
import Testing

@testable import FirebaseCore

@Suite struct `Days of use` {
    let device = InMemoryDevice(appInfo: FixedAppInfo(bundleID: "com.example.pushdemo"))

    var heartbeats: Heartbeats { Heartbeats(platform: device.platform, googleAppID: "1:1:ios:a") }

    /// The content of a gzip file whose blocks are stored.
    func unzip(_ text: String?) throws -> JSONValue {
        let bytes = try #require(text.flatMap(Base64URL.decode))
        #expect(bytes.prefix(3) == [0x1F, 0x8B, 8])
        #expect(bytes[10] == 1)
        let length = Int(bytes[11]) | Int(bytes[12]) << 8
        return try JSONValue(parsing: Array(bytes[15..<15 + length]))
    }

    @Test func `one day is one heartbeat`() throws {
        heartbeats.record()
        heartbeats.record()
        let payload = try unzip(heartbeats.takePayload())
        #expect(payload["version"]?.int64 == 2)
        #expect(payload["heartbeats"]?[0]?["dates"] == ["2023-11-14"])
        #expect(payload["heartbeats"]?[0]?["agent"]?.string == UserAgent.text(for: device.platform))
        #expect(heartbeats.takePayload() == nil)
        heartbeats.record()
        #expect(heartbeats.takePayload() == nil)
    }

    @Test func `at most 30 days are kept`() throws {
        for _ in 0..<40 {
            heartbeats.record()
            device.clock.advance(seconds: 86400)
        }
        let payload = try unzip(heartbeats.takePayload())
        #expect(payload["heartbeats"]?[0]?["dates"]?.array?.count == 30)
    }

    @Test func `the code of the day is 2 once`() {
        #expect(heartbeats.takeCodeForToday() == 0)
        heartbeats.record()
        #expect(heartbeats.takeCodeForToday() == 2)
        #expect(heartbeats.takeCodeForToday() == 0)
    }

    @Test func `the user agent is sorted and stays one line`() {
        var device = device
        device.facts.model = "odd name\r\n"
        let text = UserAgent.text(for: device.platform)
        #expect(text.contains("device/odd_name__ "))
        #expect(text.split(separator: " ").map(String.init) == text.split(separator: " ").map(String.init).sorted())
    }

    @Test func `the checksum is CRC-32`() {
        #expect(Gzip.checksum(Array("123456789".utf8)) == 0xCBF4_3926)
    }

    @Test(
        arguments: [
            (0, "1970-01-01"), (951_782_400, "2000-02-29"), (-1, "1969-12-31"), (1_709_164_800, "2024-02-29"),
            (4_102_444_800, "2100-01-01"),
        ] as [(Int64, String)])
    func `seconds become days`(seconds: Int64, day: String) {
        let time = LocalTime(secondsSince1970: seconds)
        let expected = day.split(separator: "-").compactMap { Int($0) }
        #expect([time.year, time.month, time.day] == expected)
        #expect(time.secondsSince1970 == seconds)
    }
}

@Suite struct `Serial operations` {
    @Test func `run in the order they came, one at a time`() {
        let executor = ManualExecutor()
        let clock = SteppedClock()
        let operations = SerialOperations(on: executor.executors)
        let order = Record<Int>()
        operations.enqueue {
            try? await clock.sleep(seconds: 5)
            order.append(1)
        }
        operations.enqueue { order.append(2) }
        executor.drain()
        #expect(order.entries == [])
        clock.advance(seconds: 5)
        executor.drain()
        #expect(order.entries == [1, 2])
    }

    @Test func `closing ends the waiting ones too`() {
        let executor = ManualExecutor()
        let clock = SteppedClock()
        let operations = SerialOperations(on: executor.executors)
        let cancelled = Record<Bool>()
        for _ in 0..<2 {
            operations.enqueue {
                cancelled.append((try? await clock.sleep(seconds: 100)) == nil)
            }
        }
        executor.drain()
        operations.close()
        executor.drain()
        #expect(cancelled.entries == [true, true])
    }
}
