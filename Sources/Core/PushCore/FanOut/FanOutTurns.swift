import PushModel

/// Whose turn it is: the projects one after the other, and within a project its messages one after the other.
struct FanOutTurns: Sendable {
    private var projects: [(number: ProjectNumber, messages: [MessageID])] = []

    var isEmpty: Bool { projects.isEmpty }

    mutating func add(_ message: MessageID, of project: ProjectNumber) {
        if let place = projects.firstIndex(where: { $0.number == project }) {
            projects[place].messages.append(message)
        } else {
            projects.append((project, [message]))
        }
    }

    mutating func remove(_ message: MessageID) {
        for place in projects.indices { projects[place].messages.removeAll { $0 == message } }
        projects.removeAll { $0.messages.isEmpty }
    }

    /// The next message of the next project that may go on. Both go to the end of their queues.
    mutating func next(where mayGoOn: (ProjectNumber) -> Bool) -> MessageID? {
        guard let place = projects.firstIndex(where: { mayGoOn($0.number) }) else { return nil }
        var project = projects.remove(at: place)
        let message = project.messages.removeFirst()
        project.messages.append(message)
        projects.append(project)
        return message
    }
}
