import FirebaseCore
import FirebaseInstallations
import FirebasePlatform

/// Gets registration tokens from the server, and deletes them there.
struct TokenFetcher: Sendable {
    static let maximumRetries = 10

    let app: FirebaseApp
    let installations: Installations
    let checkIns: CheckInService

    /// What the server gave, and for which installation.
    struct Fetched: Sendable {
        var token: String
        var installationID: String
    }

    /// Which remedies were tried already, so that each is tried once.
    private struct Remedies {
        var retries = 0
        var renewedCheckIn = false
        var renewedInstallationsAuth = false
        var forcesInstallationsAuth = false
    }

    func fetch(_ key: TokenRecord.Key, apns: APNSBinding?) async throws -> Fetched {
        var remedies = Remedies()
        while true {
            let checkIn = try await checkIns.checkIn().get()
            let auth = try await installations.authTokenText(forcingRefresh: remedies.forcesInstallationsAuth).get()
            remedies.forcesInstallationsAuth = false
            let id = try installations.currentID().get()
            let request = requests.fetch(
                .init(
                    key: key, installationID: id, installationsAuth: auth, apns: apns,
                    userAgent: UserAgent.text(for: app.platform), heartbeatCode: app.heartbeats.takeCodeForToday()),
                checkIn: checkIn)
            let response = try await app.platform.transport.send(request)
            switch RegisterReply(parsing: response.body) {
            case .token(let token): return Fetched(token: token, installationID: id)
            case let reply: try await remedy(reply, &remedies)
            }
        }
    }

    /// Does what may help before the next try.
    ///
    /// - Throws: The error for the caller when nothing is left to try.
    private func remedy(_ reply: RegisterReply, _ remedies: inout Remedies) async throws {
        switch reply {
        case .notYet where remedies.retries < Self.maximumRetries:
            try await app.platform.clock.sleep(seconds: Double(1 << remedies.retries))
            remedies.retries += 1
        case .refused(let text) where RegisterReply.meansUnknownDevice(text) && !remedies.renewedCheckIn:
            remedies.renewedCheckIn = true
            checkIns.forget()
        case .refused(let text)
        where RegisterReply.meansBadInstallationsAuth(text) && !remedies.renewedInstallationsAuth:
            remedies.renewedInstallationsAuth = true
            remedies.forcesInstallationsAuth = true
        case .notYet(let text):
            checkIns.forget()
            throw MessagingError(.unknown, reason: text)
        case .identityReset(let text):
            checkIns.forget()
            throw MessagingError(.invalidIdentity, reason: text)
        case .refused(let text): throw MessagingError(.unknown, reason: text)
        case .unusable, .token: throw MessagingError(.unknown, reason: "The reply holds no token.")
        case .empty: throw MessagingError(.unknown, reason: "The reply is empty.")
        }
    }

    /// - Parameter forgetsInstance: Deletes every token of the app on this device.
    func delete(_ key: TokenRecord.Key, forgetsInstance: Bool) async throws {
        let id: String
        do {
            id = try installations.currentID().get()
        } catch {
            throw MessagingError(.invalidIdentity, reason: "The installation id could not be had: \(error)")
        }
        let checkIn = try await checkIns.checkIn().get()
        let auth = try await installations.authTokenText(forcingRefresh: false).get()
        let request = requests.delete(
            key, forgetsInstance: forgetsInstance, installationID: id, installationsAuth: auth,
            credentials: checkIn.credentials)
        let response = try await app.platform.transport.send(request)
        guard RegisterReply.saysDeleted(response.body) else {
            let text = String(decoding: response.body.prefix(1024), as: UTF8.self)
            throw MessagingError(.unknown, reason: "The delete was not confirmed: \(text)")
        }
    }

    /// Clears what the server still keeps for an earlier install. Its failure changes nothing.
    func clear(_ leftOver: CheckInCredentials) async {
        let request = requests.delete(
            nil, forgetsInstance: true, installationID: nil, installationsAuth: nil, credentials: leftOver)
        _ = try? await app.platform.transport.send(request)
    }

    private var requests: TokenRequests {
        TokenRequests(
            url: app.endpoints.register, bundleID: app.platform.appInfo.appBundleID,
            appVersion: app.platform.appInfo.shortVersion, osVersion: app.platform.device.osVersion,
            firebaseAppID: app.optionsValues.googleAppID)
    }
}
