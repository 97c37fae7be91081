import JSON

/// What the doctor found about one thing.
struct Finding {
    enum State: String {
        case good = "ok"
        case doubtful = "warning"
        case bad = "failed"
    }

    var subject: String
    var state: State
    var text: String
    /// What to do about it; empty when nothing is to be done.
    var nextStep: String

    static func good(_ subject: String, _ text: String) -> Finding {
        Finding(subject: subject, state: .good, text: text, nextStep: "")
    }

    var json: JSONValue {
        [
            "subject": .string(subject), "state": .string(state.rawValue), "text": .string(text),
            "next_step": .string(nextStep),
        ]
    }

    var line: String {
        let mark = state == .good ? "ok     " : state == .doubtful ? "warning" : "FAILED "
        return "\(mark)  \(subject): \(text)" + (nextStep.isEmpty ? "" : "\n         → \(nextStep)")
    }
}
