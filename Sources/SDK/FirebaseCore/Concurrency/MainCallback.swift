/// A completion closure of the app on its way to the main executor.
///
/// The public API takes plain closures, as the official SDK does, so that closures of `@MainActor` types fit.
/// `@unchecked Sendable` holds because the closure is only ever called, once, on the main executor, or at once on the
/// thread that handed it over; nothing else touches it.
package struct MainCallback<Argument>: @unchecked Sendable {
    private let closure: (Argument) -> Void

    package init(_ closure: @escaping (Argument) -> Void) {
        self.closure = closure
    }

    package func callAsFunction(_ argument: sending Argument) {
        closure(argument)
    }
}
