import PushCore
import PushModel
import SQLiteStore
import Testing
import Timekeeping

@testable import PharosCommands

@Suite struct `Command that leaves all topics` {
    @Test func `an app instance is in no topic afterwards`() async throws {
        let scene = try AdministrationScene()
        let project = try await scene.project()
        let registration = try await scene.store.register(
            RegistrationDraft(
                project: project.number, app: nil, fid: "cAAAAAAAAAAAAAAAAAAAAA", bundleID: "com.example.app",
                channel: .apple(nil), isFIDMode: true, androidID: 0, time: Timestamp(milliseconds: 1), freshNonce: 1))
        for topic in ["a", "b"] {
            _ = try await scene.run(.topicSubscribe, topic, "--token", registration.fid)
        }
        #expect(try await scene.run(.topicLeaveAll, registration.fid).text == "It left 2 topics.")
        #expect(try await scene.run(.topicList, "--token", registration.fid).text == "It follows no topic.")
    }

    @Test func `an unknown app instance is refused`() async throws {
        let scene = try AdministrationScene()
        _ = try await scene.project()
        #expect(await scene.refusal(of: .topicLeaveAll, "cBBBBBBBBBBBBBBBBBBBBB") != nil)
    }
}
