import JSON
import Testing

@testable import PharosCommands

@Suite struct `How far a message is` {
    private func answer(_ state: String, pending: Int = 2) -> JSONValue {
        [
            "name": "projects/p/messages/1", "state": .string(state), "recipients": 9, "accepted": 5, "failed": 1,
            "expired": 1, "pending": .integer(pending),
        ]
    }

    @Test func `is one line that says whether more is to come`() {
        #expect(
            SendProgress(answer("SPLITTING"))?.text
                == "9 recipients so far: 5 accepted, 1 failed, 1 expired, 2 pending")
        #expect(SendProgress(answer("SENDING"))?.text == "9 recipients: 5 accepted, 1 failed, 1 expired, 2 pending")
        #expect(SendProgress(answer("SENDING"))?.isDone == false)
        let done = SendProgress(answer("DONE", pending: 0))
        #expect(done?.isDone == true && done?.text == "9 recipients: 5 accepted, 1 failed, 1 expired")
    }

    @Test func `changes with each number`() {
        #expect(SendProgress(answer("SENDING")) == SendProgress(answer("SENDING")))
        #expect(SendProgress(answer("SENDING")) != SendProgress(answer("SENDING", pending: 1)))
        #expect(SendProgress(answer("SENDING")) != SendProgress(answer("SPLITTING")))
    }

    @Test(arguments: [[:], [], "DONE", ["state": "DONE"], ["state": 1, "recipients": 1]] as [JSONValue])
    func `is not read from anything else`(json: JSONValue) {
        #expect(SendProgress(json) == nil)
    }
}
