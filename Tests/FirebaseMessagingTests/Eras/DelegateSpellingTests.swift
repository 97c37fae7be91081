import FirebasePlatform
import Testing

@testable import FirebaseMessaging

@Suite struct `The delegate of each year` {
    private func launched(_ delegate: any MessagingDelegate) throws -> TestPhone {
        let phone = TestPhone()
        try phone.launch()
        phone.messaging.delegate = delegate
        phone.setAPNSToken()
        return phone
    }

    @Test func `before version 7 gets a token that is no optional`() throws {
        let delegate = DelegateOf2019()
        let phone = try launched(delegate)
        #expect(delegate.told.entries == [try #require(phone.storedToken).token])
    }

    @Test func `of version 2_0 gets a refreshed token`() throws {
        let delegate = DelegateOf2017()
        let phone = try launched(delegate)
        #expect(delegate.told.entries == [try #require(phone.storedToken).token])
    }

    @Test func `since version 7 hears of a deletion, and the older ones do not`() throws {
        let older = DelegateOf2019()
        let phone = try launched(older)
        let newer = RecordingDelegate()
        phone.messaging.tokens.deleteToken { _ in }
        phone.drain()
        #expect(older.told.entries.count == 1)
        phone.messaging.delegate = newer
        _ = phone.token()
        phone.drain()
        phone.messaging.tokens.deleteToken { _ in }
        phone.drain()
        #expect(newer.calls.last == .token(nil))
    }

    @Test func `with several spellings is called by the newest one alone`() throws {
        let delegate = DelegateWithAll()
        _ = try launched(delegate)
        #expect(delegate.told.entries == ["optional"])
    }

    @Test func `with an older spelling is not warned about`() throws {
        let delegate = DelegateOf2017()
        #expect(try !launched(delegate).logCodes.contains("I-FCM002023"))
    }
}

private final class DelegateOf2017: MessagingDelegate {
    let told = Record<String>()

    func messaging(_ messaging: Messaging, didRefreshRegistrationToken fcmToken: String) { told.append(fcmToken) }
}

private final class DelegateOf2019: MessagingDelegate {
    let told = Record<String>()

    func messaging(_ messaging: Messaging, didReceiveRegistrationToken fcmToken: String) { told.append(fcmToken) }
}

private final class DelegateWithAll: MessagingDelegate {
    let told = Record<String>()

    func messaging(_ messaging: Messaging, didRefreshRegistrationToken fcmToken: String) { told.append("refreshed") }
    func messaging(_ messaging: Messaging, didReceiveRegistrationToken fcmToken: String) { told.append("text") }
    func messaging(_ messaging: Messaging, didReceiveRegistrationToken fcmToken: String?) { told.append("optional") }
}
