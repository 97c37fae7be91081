import GoogleAPI
import JSON
public import Timekeeping

/// What a person may know of the server as a whole.
public struct ServerEndpoints: Sendable {
    /// Where the server answers, by the door's name: `http`, `https`, `mcs`, `xmpp`.
    public typealias Doors = [(name: String, address: String)]

    private let version: String
    private let isEmulator: Bool
    private let startedAt: Timestamp
    private let doors: Doors

    public init(version: String, isEmulator: Bool, startedAt: Timestamp, doors: Doors) {
        self.version = version
        self.isEmulator = isEmulator
        self.startedAt = startedAt
        self.doors = doors
    }

    public var part: ConsolePart {
        ConsolePart(
            "Server",
            endpoints: [
                ConsoleEndpoint(
                    "server.get", "GET", "server", "Says what server this is, and where it answers.",
                    access: .signedIn,
                    answer: .json(
                        .object([
                            .required("version", .text()),
                            .required("isEmulator", .flag, "Whether /emulator/v1 is there."),
                            .required("doors", .map(.text(), maximumMembers: 32), "Addresses by the door's name."),
                            .required("startedAt", .time),
                        ])), handler: show)
            ])
    }

    private func show(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        .json([
            "version": .string(version), "isEmulator": .bool(isEmulator),
            "doors": .object(JSONObject(doors.map { ($0.name, .string($0.address)) })),
            "startedAt": .string(startedAt.rfc3339),
        ])
    }
}
