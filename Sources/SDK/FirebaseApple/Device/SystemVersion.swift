/// The number of a system version as requests carry it.
enum SystemVersion {
    /// `18.0`, and `18.0.1` when there is a third part.
    static func text(major: Int, minor: Int, patch: Int) -> String {
        patch == 0 ? "\(major).\(minor)" : "\(major).\(minor).\(patch)"
    }
}
