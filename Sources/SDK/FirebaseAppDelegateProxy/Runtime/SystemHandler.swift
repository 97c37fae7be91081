#if canImport(Darwin)
    /// A handler that the system gave, with the number of a fetch result.
    ///
    /// Sendable because it is called once, and on the main thread, where it came from.
    struct SystemHandler: @unchecked Sendable {
        let block: @convention(block) (UInt) -> Void
    }
#endif
