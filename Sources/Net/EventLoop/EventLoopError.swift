/// Why a loop could not start or watch a descriptor.
public enum EventLoopError: Error, Equatable {
    /// A system call failed. `code` is the `errno`.
    case system(call: String, code: Int32)
    /// The loop is ending and watches nothing new.
    case stopping
}
