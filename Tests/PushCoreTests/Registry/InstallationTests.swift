import PushCore
import PushModel
import Testing
import Timekeeping

@Suite struct `Installations` {
    let world = RegistryWorld()

    private func create(_ wanted: String) async throws -> InstallationService.Grant {
        try await world.installations.create(wanted: wanted, app: RegistryWorld.app, sdkVersion: "i:12.0.0")
    }

    @Test(arguments: ["cSNFZ4mrze8BI0VniavN7w", "f_____________________", "cAAAAAAAAAA"])
    func `keep an id of the right form`(wanted: String) async throws {
        #expect(try await create(wanted).installation.fid.text == wanted)
    }

    @Test(arguments: ["", "d7UyVW1TGoix9gZNOllM1A4=", "AAAAAAAAAAAAAAAAAAAAAA", "c", "cSNFZ4mrze8BI0VniavN7+"])
    func `replace an id of another form by one of theirs`(wanted: String) async throws {
        let fid = try await create(wanted).installation.fid
        #expect(fid.text != wanted)
        #expect(fid.isFull)
    }

    @Test func `prove themselves with their auth token until it expires`() async throws {
        let grant = try await create("")
        #expect(world.installations.proof(grant.authToken)?.fid == grant.installation.fid)
        world.clock.set(world.clock.now().adding(seconds: 604_800))
        #expect(world.installations.proof(grant.authToken) == nil)
    }

    @Test func `renew the auth token for the refresh token alone`() async throws {
        let grant = try await create("")
        let fid = grant.installation.fid.text
        let project = RegistryWorld.project.number
        let renewed = try world.installations.renew(fid: fid, in: project, refreshToken: grant.refreshToken)
        #expect(world.installations.proof(renewed) != nil)
        #expect(throws: InstallationService.Refusal.wrongRefreshToken) {
            try world.installations.renew(fid: fid, in: project, refreshToken: "bogus")
        }
        #expect(throws: InstallationService.Refusal.notFound) {
            try world.installations.renew(
                fid: "dSNFZ4mrze8BI0VniavN7w", in: project, refreshToken: grant.refreshToken)
        }
    }

    @Test func `get a new refresh token when the same id comes again`() async throws {
        let first = try await create("cSNFZ4mrze8BI0VniavN7w")
        _ = try await create("cSNFZ4mrze8BI0VniavN7w")
        #expect(throws: InstallationService.Refusal.wrongRefreshToken) {
            try world.installations.renew(
                fid: "cSNFZ4mrze8BI0VniavN7w", in: RegistryWorld.project.number, refreshToken: first.refreshToken)
        }
    }

    @Test func `take their registrations with them when deleted`() async throws {
        let request = try await world.request()
        // Its refresh token is not known any more: before it registers, the id may be asked for again.
        let grant = try await create(request.appInstance)
        let registration = try await world.classic.register(request).registration
        try await world.installations.delete(
            fid: request.appInstance, in: RegistryWorld.project.number, refreshToken: grant.refreshToken)
        #expect(try world.store.registration(registration.id)?.ending == .installationDeleted)
        #expect(world.installations.proof(grant.authToken) == nil)
    }

    @Test func `IOS-15 are not given to a copy once they receive messages, until they are free again`() async throws {
        let request = try await world.request()
        let grant = try await create(request.appInstance)
        _ = try await world.classic.register(request)
        await #expect(throws: InstallationService.Refusal.inUse) { try await create(request.appInstance) }
        _ = try world.installations.renew(
            fid: request.appInstance, in: RegistryWorld.project.number, refreshToken: grant.refreshToken)
        try await world.installations.delete(
            fid: request.appInstance, in: RegistryWorld.project.number, refreshToken: grant.refreshToken)
        #expect(try await create(request.appInstance).installation.fid.text == request.appInstance)
    }

    @Test func `take an Instance ID over for who shows its token, and give others an id of their own`() async throws {
        guard case .admitted(let device) = try await world.checkIn.checkIn(nil) else { return }
        let number = RegistryWorld.project.number.description
        let old = ClassicRegistration(
            device: device, deviceField: String(device.androidID), app: "com.example.app", sender: number,
            subtype: number, scope: "*", appInstance: "cAAAAAAAAAA")
        let token = try await world.classic.register(old).token
        for shown in ["", "x", "cBBBBBBBBBB" + token.dropFirst(11), String(token.dropLast()) + "A"] {
            let grant = try await world.installations.create(
                wanted: old.appInstance, app: RegistryWorld.app, sdkVersion: "", migrated: shown)
            #expect(grant.installation.fid.text != old.appInstance)
            #expect(grant.installation.fid.isFull)
        }
        let grant = try await world.installations.create(
            wanted: old.appInstance, app: RegistryWorld.app, sdkVersion: "", migrated: token)
        #expect(grant.installation.fid.text == old.appInstance)
    }

    @Test(arguments: ["", ".", "..", "a.b.c", "eyJ.eyJ", String(repeating: "a.", count: 3000)])
    func `are not proved by another text`(text: String) {
        #expect(world.installations.proof(text) == nil)
    }
}

@Suite struct `Check-in` {
    let world = RegistryWorld()

    @Test func `gives a new device a pair that works at once`() async throws {
        guard case .admitted(let device) = try await world.checkIn.checkIn(nil) else {
            Issue.record("not admitted")
            return
        }
        #expect((1...UInt64(Int64.max)).contains(device.androidID))
        #expect((1...UInt64(Int64.max)).contains(device.securityToken))
        #expect(try world.store.isDevice(device))
    }

    @Test func `keeps the pair of a device that comes again`() async throws {
        guard case .admitted(let device) = try await world.checkIn.checkIn(nil) else { return }
        #expect(try await world.checkIn.checkIn(device) == .admitted(device))
    }

    @Test func `does not know a pair that it never gave out`() async throws {
        let claimed = DeviceCredentials(androidID: 1, securityToken: 2)
        #expect(try await world.checkIn.checkIn(claimed) == .unknown)
    }
}
