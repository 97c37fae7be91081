/// Whether a build came through the App Store or TestFlight.
enum StoreBuild {
    /// - Parameters:
    ///   - hasProfile: Whether the bundle holds a provisioning profile. Apps of phones, watches and televisions lose it
    ///     on their way through the store, and only there.
    ///   - receiptName: File name of the store's receipt, `nil` when there is no such file. Mac apps keep their profile;
    ///     the store adds a file called `receipt`.
    static func isFromStore(isMac: Bool, isSimulator: Bool, hasProfile: Bool, receiptName: String?) -> Bool {
        if isSimulator { return false }
        return isMac ? receiptName == "receipt" : !hasProfile
    }
}
