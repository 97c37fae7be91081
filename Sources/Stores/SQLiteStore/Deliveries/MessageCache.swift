import PushModel
import Synchronization

/// Contents of messages that were read lately: those to a topic are read once for each of its devices that logs in.
/// Contents never change, so an answer stays true.
final class MessageCache: Sendable {
    private static let maximumRemembered = 256

    private let messages = Mutex<[Int64: ReadMessage]>([:])

    func message(_ id: Int64) -> ReadMessage? {
        messages.withLock { $0[id] }
    }

    func remember(_ message: ReadMessage, as id: Int64) {
        messages.withLock { messages in
            if messages.count >= Self.maximumRemembered { messages.removeAll() }
            messages[id] = message
        }
    }
}
