import XMPPWire

/// The answers to the messages of one connection, which go out in the order of the messages.
struct CCSAnswers: Sendable {
    private var firstSlot = 0
    /// `nil` for those that are not there yet.
    private var answers: [XMLElement?] = []

    /// Messages without their answer, and answers that wait for earlier ones.
    var pending: Int { answers.count }

    /// A place for the answer to the next message.
    mutating func reserve() -> Int {
        answers.append(nil)
        return firstSlot + answers.count - 1
    }

    /// - Returns: What can go out now.
    mutating func put(_ answer: XMLElement, in slot: Int) -> [XMLElement] {
        let place = slot - firstSlot
        guard answers.indices.contains(place), answers[place] == nil else { return [] }
        answers[place] = answer
        let ready = answers.prefix { $0 != nil }.compactMap { $0 }
        answers.removeFirst(ready.count)
        firstSlot += ready.count
        return ready
    }
}
