import JSON
import PushCore
import PushModel
import SQLiteStore
import Testing

@testable import PharosCommands

@Suite struct `Command for topic rules` {
    let scene: AdministrationScene

    init() throws {
        scene = try AdministrationScene()
    }

    private func rules(of project: Project) throws -> [[String]] {
        let rules = try scene.store.topicRules(of: project.number)
        return [rules.allowed.map(\.text), rules.denied.map(\.text)]
    }

    @Test func `rules are shown, set, replaced and cleared`() async throws {
        let project = try await scene.project()
        let none = try await scene.run(.topicRules)
        #expect(none.text == "Apps of my-app may join every topic.")
        #expect(none.json == ["project_id": "my-app", "allowed": [], "denied": []])
        let set = try await scene.run(
            .topicRules, "--allow", "news-*", "--allow", "own-{fid}", "--deny", "news-staff")
        #expect(set.text == "Apps of my-app may join news-*, own-{fid} but not news-staff.")
        #expect(try rules(of: project) == [["news-*", "own-{fid}"], ["news-staff"]])
        #expect(try await scene.run(.topicRules) == set)
        let replaced = try await scene.run(.topicRules, "--deny", "*")
        #expect(replaced.text == "Apps of my-app may join every topic but not *.")
        #expect(try rules(of: project) == [[], ["*"]])
        #expect(try await scene.run(.topicRules, "--clear") == none)
        #expect(try rules(of: project) == [[], []])
    }

    @Test func `rules are those of one project`() async throws {
        let (one, other) = (try await scene.project("my-app"), try await scene.project("my-other"))
        #expect(await scene.refusal(of: .topicRules)?.nextStep.contains("--project") == true)
        _ = try await scene.run(.topicRules, "--project", "my-other", "--deny", "a")
        #expect(try rules(of: one) == [[], []])
        #expect(try rules(of: other) == [[], ["a"]])
        #expect(await scene.refusal(of: .topicRules, "--project", "my-third", "--deny", "a")?.exitCode == 1)
    }

    static let refused: [(words: [String], says: String)] = [
        (["--allow", "two words"], "“two words” matches no topic name."),
        (["--deny", ""], "“” matches no topic name."),
        (["--allow", "/topics/news"], "“/topics/news” matches no topic name."),
        (["--allow", "a{id}"], "“a{id}” matches no topic name."),
        (["--deny", String(repeating: "a", count: 901)], "matches no topic name."),
        (["--clear", "--allow", "a"], "--clear removes all rules"),
        (["--clear", "--deny", "a"], "--clear removes all rules"),
        ((0...100).flatMap { ["--allow", "a\($0)"] }, "--allow is given more than 100 times."),
    ]
    @Test func `what cannot be a rule is refused, and changes nothing`() async throws {
        let project = try await scene.project()
        _ = try await scene.run(.topicRules, "--allow", "kept")
        for row in Self.refused {
            let arguments = try CommandArguments(
                row.words, of: AdministrationCommand.topicRules.command, environment: { _ in nil })
            let failure = await #expect(throws: CommandFailure.self) {
                try await AdministrationCommand.topicRules.work(scene.administration, arguments)
            }
            #expect(failure?.message.contains(row.says) == true, "\(failure?.message ?? "")")
            #expect(failure?.exitCode == 2 && failure?.nextStep.isEmpty == false)
        }
        #expect(try rules(of: project) == [["kept"], []])
    }

    @Test func `the program has the command, and its help shows examples`() throws {
        let table = CommandTable(commands: PharosProgram.allCommands)
        guard case .showHelp(let text) = try table.choose(["topic", "rules", "--help"], environment: { _ in nil })
        else {
            Issue.record("expected help")
            return
        }
        #expect(text.contains("Usage: pharos topic rules [options]"))
        #expect(text.contains("pharos topic rules --deny 'staff-*'"))
    }
}
