import PropertyTesting
import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

/// Random sequences of what devices, apps and APNs do, held against what must always be true.
@Suite struct `Registrations after any sequence of events` {
    private static let fids = ["", "cAAAAAAAAAAAAAAAAAAAAA", "dBBBBBBBBBBBBBBBBBBBBB", "eCCCCCCCCCC"]

    let directory = TemporaryDirectory()

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `an APNs token reaches one app instance, and a reopened store says the same`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let store = try directory.open()
        let project = try await Sample.project(store)
        var seen: [RegistrationID: Registration] = [:]
        for step in 0..<120 {
            let time = Timestamp.testStart.adding(seconds: Int64(step))
            try await act(on: store, project, at: time, seen: &seen, &random)
            try checkAddresses(store, seen)
        }
        let before = try seen.keys.sorted().map { try store.registration($0) }
        store.close()
        let reopened = try directory.open()
        #expect(try seen.keys.sorted().map { try reopened.registration($0) } == before)
    }

    private func act(
        on store: SQLiteStore, _ project: Project, at time: Timestamp, seen: inout [RegistrationID: Registration],
        _ random: inout SeededGenerator
    ) async throws {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<6:
            let draft = draft(project, at: time, &random)
            let registration = try await store.register(draft)
            #expect(try store.registration(registration.id) == registration)
            seen[registration.id] = registration
        case 6: try await endOne(on: store, at: time, seen, &random)
        case 7:
            let filter = RegistrationFilter(
                androidID: UInt64.random(in: 0...2, using: &random),
                fid: Bool.random(using: &random) ? Self.fids.randomElement(using: &random) : nil)
            _ = try await store.endRegistrations(filter, at: time)
        case 8:
            guard let fid = FirebaseInstallationID(Self.fids.randomElement(using: &random) ?? "") else { return }
            _ = try await store.deleteInstallation(fid, in: project.number, at: time)
            #expect(try store.registration(fid: fid.text, in: project.number) == nil)
        default:
            guard let id = seen.keys.sorted().randomElement(using: &random) else { return }
            try await store.setEnvironment(Bool.random(using: &random) ? .sandbox : .production, of: id)
        }
    }

    private func endOne(
        on store: SQLiteStore, at time: Timestamp, _ seen: [RegistrationID: Registration],
        _ random: inout SeededGenerator
    ) async throws {
        guard let id = seen.keys.sorted().randomElement(using: &random), let known = try store.registration(id),
            case .apple(let address?) = known.channel
        else { return }
        let invalidAt = known.confirmedAt.adding(milliseconds: Int64.random(in: -1...1, using: &random))
        let ended = try await store.endUnregistered(id, address: address, invalidAt: invalidAt, at: time)
        #expect(ended == (known.ending == nil && known.confirmedAt <= invalidAt))
    }

    private func draft(
        _ project: Project, at time: Timestamp, _ random: inout SeededGenerator
    ) -> RegistrationDraft {
        let address = Sample.address(UInt8.random(in: 0...3, using: &random))
        var draft = Sample.draft(
            project, fid: Self.fids.randomElement(using: &random) ?? "",
            address: Int.random(in: 0..<5, using: &random) == 0 ? nil : address,
            nonce: UInt64.random(in: .min ... .max, using: &random), time: time)
        draft.androidID = UInt64.random(in: 0...2, using: &random)
        draft.isFIDMode = Bool.random(using: &random)
        draft.scope = Bool.random(using: &random) ? "*" : "fiam"
        return draft
    }

    /// No two live registrations of different app instances have one APNs token.
    private func checkAddresses(_ store: SQLiteStore, _ seen: [RegistrationID: Registration]) throws {
        var owners: [APNsDeviceToken: Set<String>] = [:]
        for id in seen.keys {
            guard let known = try store.registration(id), known.ending == nil,
                case .apple(let address?) = known.channel
            else { continue }
            let owner =
                known.fid.isEmpty ? "device \(known.androidID == 0 ? "\(id)" : "\(known.androidID)")" : known.fid
            owners[address.token, default: []].insert(owner)
        }
        for (token, instances) in owners { #expect(instances.count == 1, "\(token.hex.prefix(2)) \(instances)") }
    }
}
