import Bytes
import PushCore
import PushModel
import SQLiteStore
import Timekeeping

extension BenchWorld {
    /// What the devices of a world are like.
    enum DeviceKind: String {
        /// Registered with a token; its app has an APNs token.
        case classic
        /// Registered with its FID; its app has an APNs token.
        case fid
        /// Registered with a token; its app has no APNs token yet, so its messages wait.
        case waiting
        /// An app on the device channel.
        case channel
    }

    /// The secret of all devices on the device channel.
    static let channelSecret: UInt64 = 1

    private static let atOnce = 1000

    /// Registers so many devices, many in one transaction.
    func register(_ count: Int, kind: DeviceKind) async throws -> [Registration] {
        var registrations: [Registration] = []
        registrations.reserveCapacity(count)
        while registrations.count < count {
            let start = registrations.count
            registrations += try await withThrowingTaskGroup(of: (Int, Registration).self) { group in
                for number in start..<min(count, start + Self.atOnce) {
                    group.addTask { (number, try await register(kind)) }
                }
                var chunk: [(Int, Registration)] = []
                for try await one in group { chunk.append(one) }
                return chunk.sorted { $0.0 < $1.0 }.map(\.1)
            }
        }
        return registrations
    }

    private func register(_ kind: DeviceKind) async throws -> Registration {
        let fid = try freshFID()
        let now = clock.now()
        try await store.putInstallation(
            Installation(
                fid: fid, project: project.number, app: app.id, refreshTokenHash: SQLiteStore.systemRandomBytes(32),
                sdkVersion: "i:11.4.0", createdAt: now))
        var androidID: UInt64 = 0
        if kind != .fid {
            androidID = UInt64.random(in: 1 << 60 ... .max)
            try await store.addDevice(
                DeviceCredentials(
                    androidID: androidID,
                    securityToken: kind == .channel ? Self.channelSecret : UInt64.random(in: 1 ... .max)), at: now)
        }
        return try await store.register(
            RegistrationDraft(
                project: project.number, app: app.id, fid: fid.text, bundleID: Self.bundleID,
                channel: try channel(of: kind), isFIDMode: kind == .fid,
                androidID: androidID, sender: kind == .fid ? "" : project.number.description,
                scope: kind == .fid ? "" : "*", appVersion: "1.4.2", sdkVersion: "11.4.0", time: now,
                freshNonce: UInt64.random(in: .min ... .max)))
    }

    private func channel(of kind: DeviceKind) throws -> Registration.Channel {
        switch kind {
        case .channel: .device
        case .waiting: .apple(nil)
        case .classic, .fid: .apple(try freshAddress())
        }
    }

    private func freshFID() throws -> FirebaseInstallationID {
        let text = Base64URL.encode(SQLiteStore.systemRandomBytes(16))
        guard let fid = FirebaseInstallationID("c" + text.dropFirst()) else { throw BenchFailure.failed("no FID") }
        return fid
    }

    private func freshAddress() throws -> APNsAddress {
        guard let token = APNsDeviceToken(hex: Hex.encode(SQLiteStore.systemRandomBytes(32))) else {
            throw BenchFailure.failed("no APNs token")
        }
        return APNsAddress(token: token, environment: .production)
    }
}

extension Registration {
    /// The APNs token in hex, when the app has one.
    var apnsToken: String? {
        if case .apple(let address?) = channel { address.token.hex } else { nil }
    }
}
