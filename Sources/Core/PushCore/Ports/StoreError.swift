/// Why the store could not do what it was asked.
public enum StoreError: Error, Sendable, Equatable {
    /// Something of that name exists.
    case conflict(String)
    case notFound(String)
    /// The disk is full, the file is damaged, the writer is shutting down: nothing was changed.
    case unavailable(String)
}
