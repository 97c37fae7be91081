import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `Device groups` {
    let directory = TemporaryDirectory()
    static let tokens = RegistrationTokenCodec(sealing: .weak)

    struct World {
        var store: SQLiteStore
        var groups: DeviceGroups
        var resolver: RecipientResolver
        var project: Project
        /// Tokens of registrations.
        var tokens: [String]
        var registrations: [Registration]
    }

    private func world(devices: Int = 3) async throws -> World {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let lookup = RegistrationLookup(registrations: store, tokens: Self.tokens)
        let keys = DeviceGroupKeyCodec(sealing: .weak)
        var registrations: [Registration] = []
        for number in 0..<devices {
            let fid = "c" + String(number + 10) + "AAAAAAAAAAAAAAAAAAA"
            registrations.append(
                try await store.register(Sample.draft(project, fid: fid, address: Sample.address(UInt8(number + 1)))))
        }
        return World(
            store: store,
            groups: DeviceGroups(store: store, registrations: lookup, keys: keys, clock: ManualClock(.testStart)),
            resolver: RecipientResolver(lookup: lookup, groups: store, groupKeys: keys), project: project,
            tokens: registrations.map { Self.tokens.token(of: $0) }, registrations: registrations)
    }

    @Test func `grow, shrink, and are gone with their last member`() async throws {
        let world = try await world()
        let (groups, tokens, project) = (world.groups, world.tokens, world.project.number)
        let key = try await groups.create(named: "anna", tokens: [tokens[0], tokens[0], "nonsense"], in: project)
        #expect(try groups.key(named: "anna", in: project) == key)
        #expect(try await groups.add([tokens[1]], to: key, named: "anna", in: project) == key)
        #expect(try await groups.add([tokens[1], tokens[2]], to: key, named: nil, in: project) == key)
        #expect(try world.resolver.recipients(of: .token(key), in: project) == .group(world.registrations))
        #expect(try await groups.remove([tokens[0], tokens[1]], from: key, named: "anna", in: project) == key)
        #expect(try world.resolver.recipients(of: .token(key), in: project) == .group([world.registrations[2]]))
        #expect(try await groups.remove([tokens[2]], from: key, named: "anna", in: project) == key)
        #expect(throws: DeviceGroupError.notFound) { try groups.key(named: "anna", in: project) }
        #expect(throws: SendError.unregistered) { try world.resolver.recipients(of: .token(key), in: project) }
        await #expect(throws: DeviceGroupError.notFound) {
            try await groups.add([tokens[0]], to: key, named: "anna", in: project)
        }
        let next = try await groups.create(named: "anna", tokens: [tokens[0]], in: project)
        #expect(next != key)
        #expect(try world.store.groups(in: project, after: nil, limit: 5).map(\.name) == ["anna"])
        #expect(try world.store.groups(in: project, after: "anna", limit: 5).isEmpty)
    }

    @Test func `keep members whose registration ended until they are removed`() async throws {
        let world = try await world()
        let (groups, tokens, project) = (world.groups, world.tokens, world.project.number)
        let key = try await groups.create(named: "anna", tokens: tokens, in: project)
        try await world.store.end(world.registrations[0].id, .deletedByApp, at: .testStart)
        guard case .group(let members) = try world.resolver.recipients(of: .token(key), in: project) else {
            Issue.record("not a group")
            return
        }
        #expect(members.map { $0.ending != nil } == [true, false, false])
        await #expect(throws: DeviceGroupError.noValidMembers) {
            try await groups.add([tokens[0]], to: key, named: "anna", in: project)
        }
        #expect(try await groups.remove([tokens[0]], from: key, named: "anna", in: project) == key)
    }

    @Test func `have a member limit, also over several calls`() async throws {
        let world = try await world(devices: 21)
        let (groups, tokens, project) = (world.groups, world.tokens, world.project.number)
        await #expect(throws: DeviceGroupError.tooManyMembers) {
            try await groups.create(named: "all", tokens: tokens, in: project)
        }
        let key = try await groups.create(named: "all", tokens: Array(tokens.dropLast()), in: project)
        await #expect(throws: DeviceGroupError.tooManyMembers) {
            try await groups.add([tokens[20]], to: key, named: "all", in: project)
        }
        #expect(try await groups.add([tokens[3]], to: key, named: "all", in: project) == key)
    }

    @Test func `tell what is wrong with a call`() async throws {
        let world = try await world()
        let (groups, tokens, project) = (world.groups, world.tokens, world.project.number)
        let other = try await Sample.project(world.store, "demo-other").number
        let key = try await groups.create(named: "anna", tokens: [tokens[0]], in: project)
        func refusal(_ body: () async throws -> String) async -> DeviceGroupError? {
            do {
                _ = try await body()
                return nil
            } catch {
                return error as? DeviceGroupError
            }
        }
        #expect(await refusal { try await groups.create(named: "anna", tokens: tokens, in: project) } == .nameTaken)
        #expect(await refusal { try await groups.create(named: "", tokens: tokens, in: project) } == .invalidName)
        let long = String(repeating: "x", count: 1_025)
        #expect(await refusal { try await groups.create(named: long, tokens: tokens, in: project) } == .invalidName)
        #expect(await refusal { try await groups.create(named: "b", tokens: [], in: project) } == .noValidMembers)
        #expect(await refusal { try await groups.create(named: "b", tokens: tokens, in: other) } == .noValidMembers)
        #expect(
            await refusal { try await groups.add(tokens, to: key, named: "berta", in: project) } == .nameMismatch)
        #expect(
            await refusal { try await groups.remove(tokens, from: key, named: "berta", in: project) } == .nameMismatch)
        #expect(await refusal { try await groups.remove(["x"], from: key, named: nil, in: project) } == .noValidMembers)
        #expect(await refusal { try await groups.add(tokens, to: tokens[0], named: nil, in: project) } == .notFound)
        #expect(await refusal { try await groups.add(tokens, to: key, named: "anna", in: other) } == .notFound)
        #expect(await refusal { try groups.key(named: "berta", in: project) } == .notFound)
        #expect(await refusal { try groups.key(named: "anna", in: other) } == .notFound)
        #expect(throws: SendError.senderIDMismatch) { try world.resolver.recipients(of: .token(key), in: other) }
    }
}
