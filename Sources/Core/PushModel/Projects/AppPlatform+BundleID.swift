extension AppPlatform {
    private static let maximumBundleIDBytes = 155

    /// Whether apps of the platform may have this bundle id.
    ///
    /// Apple: letters, digits, hyphens and periods. Android: letters, digits and underscores in at least two parts, with
    /// a period between. Web apps have none.
    public func isBundleID(_ text: String) -> Bool {
        guard self != .web else { return text.isEmpty }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let extra: Character = self == .ios ? "-" : "_"
        return text.utf8.count <= Self.maximumBundleIDBytes && parts.count >= (self == .ios ? 1 : 2)
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == extra) }
            }
    }
}
