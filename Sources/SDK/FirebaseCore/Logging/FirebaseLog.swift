import FirebasePlatform
import Synchronization

/// Log lines of the SDK: a level, a code people can search for, and a text. Lines below the level are dropped.
package struct FirebaseLog: Sendable {
    private let sink: any LogSink
    private let minimumLevel: @Sendable () -> LogLevel

    init(sink: any LogSink, minimumLevel: @escaping @Sendable () -> LogLevel) {
        self.sink = sink
        self.minimumLevel = minimumLevel
    }

    package func error(_ code: String, _ message: @autoclosure () -> String) { write(.error, code, message) }
    package func warning(_ code: String, _ message: @autoclosure () -> String) { write(.warning, code, message) }
    package func notice(_ code: String, _ message: @autoclosure () -> String) { write(.notice, code, message) }
    package func info(_ code: String, _ message: @autoclosure () -> String) { write(.info, code, message) }
    package func debug(_ code: String, _ message: @autoclosure () -> String) { write(.debug, code, message) }

    private func write(_ level: LogLevel, _ code: String, _ message: () -> String) {
        guard level <= minimumLevel() else { return }
        sink.log(level, code: code, message: message())
    }
}

extension FirebaseContainer {
    package var log: FirebaseLog {
        FirebaseLog(sink: platform.log) { [weak self] in self?.state.withLock(\.minimumLevel) ?? .notice }
    }
}
