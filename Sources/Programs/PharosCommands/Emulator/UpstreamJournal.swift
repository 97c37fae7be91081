import Bytes
import JSON
import PushModel
import Synchronization

/// The emulator's memory of messages to app servers, the newest `capacity` of them.
final class UpstreamJournal: Sendable {
    enum Fate: String, Sendable {
        case waiting, acknowledged, expired
    }

    private struct State {
        var messages: [UpstreamID: (message: UpstreamMessage, fate: Fate)] = [:]
        var order: [UpstreamID] = []
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    func accepted(_ message: UpstreamMessage) {
        state.withLock { state in
            state.messages[message.id] = (message, .waiting)
            state.order.append(message.id)
            if state.order.count > capacity { state.messages[state.order.removeFirst()] = nil }
        }
    }

    func ended(_ id: UpstreamID, isAcknowledged: Bool) {
        state.withLock { $0.messages[id]?.fate = isAcknowledged ? .acknowledged : .expired }
    }

    func reset() {
        state.withLock { $0 = State() }
    }

    /// Oldest first.
    /// - Parameter text: A token, FID or message id; `nil` matches all.
    func listing(_ text: String?) -> JSONValue {
        let all = state.withLock { state in state.order.compactMap { state.messages[$0] } }
        return .array(
            all.filter { text == nil || $0.message.names(text ?? "") }.map { $0.message.json(fate: $0.fate) })
    }

    /// Whether at least one message matches and an app server has all that match.
    func isSettled(_ text: String) -> Bool {
        let found = state.withLock { state in state.messages.values.filter { $0.message.names(text) } }
        return !found.isEmpty && found.allSatisfy { $0.fate != .waiting }
    }
}

extension UpstreamMessage {
    fileprivate func names(_ text: String) -> Bool {
        content.from == text || content.messageID == text || content.from.hasPrefix(text + ":")
            || content.data.contains { $0.key == "device_registration_id" && $0.value == text }
    }

    fileprivate func json(fate: UpstreamJournal.Fate) -> JSONValue {
        var object: JSONObject = [
            "message_id": .string(content.messageID), "from": .string(content.from),
            "kind": content.kind == .receipt ? "receipt" : "message", "category": .string(content.category),
            "data": .object(JSONObject(content.data.map { ($0.key, .string($0.value)) })),
            "ttl": .integer(content.timeToLiveSeconds), "state": .string(fate.rawValue),
        ]
        if let raw = content.rawData { object["raw_data"] = .string(Base64URL.encode(raw)) }
        return .object(object)
    }
}
