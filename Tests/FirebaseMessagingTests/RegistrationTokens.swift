import FirebaseMessaging

/// The calls for registration tokens. Apps should no longer use them, and so they are deprecated; we go on testing them
/// through this protocol, without a warning at every call.
protocol RegistrationTokens {
    var fcmToken: String? { get }
    func token(completion: @escaping (String?, (any Error)?) -> Void)
    func token() async throws -> String
    func retrieveFCMToken(forSenderID senderID: String, completion: @escaping (String?, (any Error)?) -> Void)
    func retrieveFCMToken(forSenderID senderID: String) async throws -> String
    func deleteToken(completion: @escaping ((any Error)?) -> Void)
    func deleteToken() async throws
    func deleteFCMToken(forSenderID senderID: String, completion: @escaping ((any Error)?) -> Void)
    func deleteFCMToken(forSenderID senderID: String) async throws
}

extension Messaging: RegistrationTokens {
    var tokens: any RegistrationTokens & Sendable { self }
}

extension TestPhone {
    var tokens: any RegistrationTokens { messaging }
}
