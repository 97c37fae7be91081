import PushCore
import PushModel
import Synchronization

/// Failures of sends that a test asked for: the emulator's door `send`.
final class SendFaultScript: SendFaults {
    /// One order: the next `remaining` sends to the target fail so.
    struct Order: Sendable {
        /// A token, FID or topic; `nil` for every target.
        var target: String?
        var fault: ScriptedSendFault
        var remaining: Int
    }

    private let tokens: RegistrationTokenCodec
    private let orders = Mutex<[Order]>([])

    init(tokens: RegistrationTokenCodec) {
        self.tokens = tokens
    }

    func add(_ order: Order) { orders.withLock { $0.append(order) } }

    func reset() { orders.withLock { $0 = [] } }

    func nextFault(for target: SendTarget, recipients: [Registration]) -> ScriptedSendFault? {
        orders.withLock { orders in
            let index = orders.firstIndex { order in
                order.target.map { names($0, target, recipients) } ?? true
            }
            guard let index else { return nil }
            orders[index].remaining -= 1
            let fault = orders[index].fault
            if orders[index].remaining <= 0 { orders.remove(at: index) }
            return fault
        }
    }

    private func names(_ text: String, _ target: SendTarget, _ recipients: [Registration]) -> Bool {
        switch target {
        case .token(let token) where token == text: true
        case .topic(let topic) where topic.text == text: true
        case .condition(let condition) where condition.description == text: true
        default: recipients.contains { $0.fid == text || tokens.token(of: $0) == text }
        }
    }
}
