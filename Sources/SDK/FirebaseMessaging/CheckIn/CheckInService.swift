import FirebaseCore
import FirebasePlatform

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Gets the device checked in: from the store while that is valid, else from the server. Callers at the same time share
/// one request.
final class CheckInService: Sendable {
    private let app: FirebaseApp
    private let platform: Platform
    private let store: CheckInStore
    /// The device got other credentials, or has none any more.
    let changes = Observers<Void>()
    private let shared: SharedOperation<Result<CheckIn, any Error>>

    init(app: FirebaseApp, account: String) {
        self.app = app
        platform = app.platform
        store = CheckInStore(platform: app.platform, account: account)
        shared = SharedOperation(on: app.platform.executors)
    }

    func close() {
        shared.close()
    }

    /// A valid check-in, made now when there is none.
    func checkIn() async -> Result<CheckIn, any Error> {
        await shared.run { [self] in await validOrFetched() }
    }

    /// What is stored, valid or not.
    func stored() -> CheckIn? {
        if case .present(let checkIn)? = try? store.load() { checkIn } else { nil }
    }

    /// Credentials that an earlier install left behind. Asking takes them away.
    func takeLeftOver() -> CheckInCredentials? {
        guard case .leftOver(let credentials)? = try? store.load() else { return nil }
        forget()
        return credentials
    }

    func forget() {
        try? store.remove()
        changes.notify(())
    }

    private func validOrFetched() async -> Result<CheckIn, any Error> {
        let previous: CheckIn?
        do {
            switch try store.load() {
            case .present(let checkIn) where isValid(checkIn): return .success(checkIn)
            case .present(let checkIn): previous = checkIn
            case .none, .leftOver: previous = nil
            }
        } catch {
            return .failure(failure("The secure store answered \(error.status)."))
        }
        return await fetched(after: previous)
    }

    private func isValid(_ checkIn: CheckIn) -> Bool {
        let locale = FirebaseLocale(platform)
        return checkIn.isValid(atMilliseconds: nowMilliseconds, locale: locale.current, storedLocale: locale.stored)
    }

    private func fetched(after previous: CheckIn?) async -> Result<CheckIn, any Error> {
        let locale = FirebaseLocale(platform)
        let request = CheckInWire.request(
            url: app.endpoints.checkIn, device: platform.device, locale: locale.current, previous: previous)
        let body: [UInt8]
        do {
            body = try await platform.transport.send(request).body
        } catch {
            return .failure(error)
        }
        do {
            let checkIn = try CheckInWire.checkIn(reply: body, nowMilliseconds: nowMilliseconds)
            return keep(checkIn, replacing: previous, locale: locale)
        } catch  where previous != nil {
            // The server no longer knows the old credentials: begin again as a new device.
            return await fetched(after: nil)
        } catch {
            return .failure(error)
        }
    }

    private func keep(
        _ checkIn: CheckIn, replacing previous: CheckIn?, locale: FirebaseLocale
    ) -> Result<CheckIn, any Error> {
        do {
            try store.save(checkIn)
        } catch  where checkIn.credentials != previous?.credentials {
            return .failure(failure("The new check-in could not be stored: \(error)"))
        } catch {
            app.log.warning("I-FCM007002", "The check-in could not be stored: \(error)")
        }
        locale.store()
        if checkIn.credentials != previous?.credentials {
            let notifications = platform.notifications
            app.onMain { notifications.post(.checkInFetched, object: nil, userInfo: [:]) }
            changes.notify(())
        }
        return .success(checkIn)
    }

    private func failure(_ reason: String) -> MessagingError {
        MessagingError(.checkInFailed, reason: reason)
    }

    private var nowMilliseconds: Int64 {
        Int64(platform.clock.now().timeIntervalSince1970 * 1000)
    }
}
