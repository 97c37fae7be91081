import GoogleAPI
import HTTPSemantics
import JSON
import PushCore
import PushModel
import Synchronization
import Testing

@testable import SendAPI

@Suite struct `Asking how far a message is` {
    private static let message = MessageID(value: 1_700_000_000_000_001)

    private func ask(
        _ progress: MessageProgress?, isAway: Bool = false, path: String = "demo-kitchen/messages/1700000000000001",
        token: String? = "kitchen", method: String = "GET"
    ) async -> HTTPResponse {
        var router = Router()
        MessageRoutes(
            messages: ListedProgress(list: progress.map { [$0] } ?? [], isAway: isAway), projects: ListedProjects(),
            authentication: CallerAuthentication(verifier: NamedCallers())
        ).add(to: &router)
        var head = HTTPRequestHead(method: method, target: "/v1/projects/" + path)
        if let token { head.fields.append("authorization", "Bearer \(token)") }
        return await router.respond(to: HTTPRequest(head: head, body: []))
    }

    private func progress(
        recipients: Int = 9, accepted: Int = 5, failed: Int = 1, expired: Int = 1, isSplit: Bool = true
    ) -> MessageProgress {
        MessageProgress(
            message: Self.message, project: SendWorld.project.number, recipients: recipients, accepted: accepted,
            failed: failed, expired: expired, isSplit: isSplit)
    }

    @Test func `tells the outcomes and what is left`() async {
        let answer = await ask(progress())
        #expect(answer.status == 200)
        #expect(
            answer.json == [
                "name": "projects/demo-kitchen/messages/1700000000000001", "state": "SENDING", "recipients": 9,
                "accepted": 5, "failed": 1, "expired": 1, "pending": 2,
            ])
        #expect(await ask(progress(isSplit: false)).json["state"] == "SPLITTING")
        #expect(await ask(progress(recipients: 7, isSplit: false)).json["state"] == "SPLITTING")
        #expect(await ask(progress(recipients: 7)).json["state"] == "DONE")
        #expect(await ask(progress(recipients: 0, accepted: 0, failed: 0, expired: 0)).json["state"] == "DONE")
    }

    @Test func `names the project as the caller does`() async {
        let answer = await ask(progress(), path: "123456789012/messages/1700000000000001")
        #expect(answer.json["name"] == "projects/123456789012/messages/1700000000000001")
    }

    @Test(arguments: ["1700000000000002", "fake_message_id", "0", "-1", "1700000000000001x"])
    func `knows only messages that were accepted`(id: String) async {
        let answer = await ask(progress(), path: "demo-kitchen/messages/\(id)")
        #expect(answer.status == 404 && answer.error["status"] == "NOT_FOUND")
    }

    @Test func `is for those who may send in the project`() async {
        #expect(await ask(progress(), token: nil).error["status"] == "UNAUTHENTICATED")
        #expect(await ask(progress(), token: "old").error["status"] == "UNAUTHENTICATED")
        #expect(await ask(progress(), token: "garden").error["status"] == "PERMISSION_DENIED")
        #expect(await ask(progress(), token: "kitchen-other").error["status"] == "PERMISSION_DENIED")
        // A message of another project is as unknown as one that never was.
        let other = await ask(progress(), path: "demo-garden/messages/1700000000000001", token: "garden")
        #expect(other.status == 404)
    }

    @Test func `says when the store does not answer`() async {
        let answer = await ask(progress(), isAway: true)
        #expect(answer.status == 503 && answer.error["status"] == "UNAVAILABLE")
    }
}

private struct ListedProgress: MessageProgressStore {
    let list: [MessageProgress]
    let isAway: Bool

    func progress(of message: MessageID) throws(StoreError) -> MessageProgress? {
        if isAway { throw .unavailable("away") }
        return list.first { $0.message == message }
    }
}
