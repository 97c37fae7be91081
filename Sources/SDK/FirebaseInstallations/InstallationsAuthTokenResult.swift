#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A token that proves to Firebase services which installation is calling.
public struct InstallationsAuthTokenResult: Sendable, Hashable {
    public let authToken: String
    public let expirationDate: Date
}
