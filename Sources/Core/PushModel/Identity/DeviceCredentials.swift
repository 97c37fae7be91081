/// What check-in gives a device: its id and the secret that proves it. Both are in 1…2⁶³−1.
public struct DeviceCredentials: Hashable, Sendable {
    public let androidID: UInt64
    public let securityToken: UInt64

    public init(androidID: UInt64, securityToken: UInt64) {
        self.androidID = androidID
        self.securityToken = securityToken
    }
}
