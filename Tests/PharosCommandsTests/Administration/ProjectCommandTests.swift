import Bytes
import Crypto
import Glibc
import JSON
import OAuthAPI
import PushCore
import PushModel
import SQLiteStore
import Testing

@testable import PharosCommands

@Suite struct `Commands for projects and apps` {
    let scene: AdministrationScene

    init() throws {
        scene = try AdministrationScene()
    }

    @Test func `a project is made, listed, shown and deleted`() async throws {
        let made = try await scene.run(.projectCreate, "my-app", "--name", "My app")
        #expect(made.json["project_id"] == "my-app")
        #expect(made.json["sender_id"]?.string?.wholeMatch(of: /[1-9][0-9]{11}/) != nil)
        #expect(made.text.contains("pharos app create"))
        let listed = try await scene.run(.projectList)
        #expect(listed.json["projects"]?[0]?["name"] == "My app")
        #expect(listed.text.split(separator: "\n").count == 2)
        let shown = try await scene.run(.projectShow, "my-app")
        #expect(shown.json["apps"]?.array?.isEmpty == true)
        #expect(await scene.refusal(of: .projectDelete, "my-app")?.exitCode == 2)
        _ = try await scene.run(.projectDelete, "my-app", "--yes")
        #expect(try await scene.run(.projectList).json == ["projects": []])
        #expect(await scene.refusal(of: .projectShow, "my-app")?.exitCode == 1)
    }

    static let badIDs = [
        "", "x", "Upper-case", "1number", "ends-", "with space", "a_b_c_d", "a-very-long-id-of-31-characters-x",
    ]
    @Test(arguments: badIDs) func `a bad project id is refused with how to choose one`(id: String) async {
        let failure = await scene.refusal(of: .projectCreate, id)
        #expect(failure?.exitCode == 2)
        #expect(failure?.nextStep.contains("6 to 30") == true)
    }

    @Test func `the only project needs no name, one of several does`() async throws {
        #expect(await scene.refusal(of: .appCreate, "--bundle-id", "a.b")?.message == "There is no project.")
        let project = try await scene.project()
        #expect(try await scene.run(.appCreate, "--bundle-id", "a.b").json["bundle_id"] == "a.b")
        _ = try await scene.project("other-app")
        #expect(await scene.refusal(of: .appList)?.message == "There are several projects: my-app, other-app.")
        #expect(try await scene.run(.appList, "--project", "other-app").json == ["apps": []])
        let byNumber = try await scene.run(.appList, "--project", project.number.description)
        #expect(byNumber.json["apps"]?.array?.count == 1)
        #expect(await scene.refusal(of: .appList, "--project", "nobody")?.exitCode == 1)
    }

    static let badApps: [[String]] = [
        [], ["--bundle-id", ""], ["--bundle-id", "a b"], ["--bundle-id", "a..b"], ["--bundle-id", "é.b"],
        ["--bundle-id", "a_b"], ["--platform", "android", "--bundle-id", "single"],
        ["--platform", "android", "--bundle-id", "a-b.c"], ["--platform", "web", "--bundle-id", "a.b"],
        ["--platform", "windows", "--bundle-id", "a.b"], ["--bundle-id", String(repeating: "a", count: 156)],
    ]
    @Test(arguments: badApps) func `a bad app is refused`(words: [String]) async throws {
        _ = try await scene.project()
        let arguments = try CommandArguments(
            words, of: AdministrationCommand.appCreate.command, environment: { _ in nil })
        await #expect(throws: CommandFailure.self) {
            try await AdministrationCommand.appCreate.work(scene.administration, arguments)
        }
    }

    @Test func `the same bundle id is refused twice for one platform alone`() async throws {
        _ = try await scene.project()
        _ = try await scene.run(.appCreate, "--bundle-id", "com.example.app")
        #expect(await scene.refusal(of: .appCreate, "--bundle-id", "com.example.app")?.exitCode == 1)
        _ = try await scene.run(.appCreate, "--bundle-id", "com.example.app", "--platform", "android")
    }

    @Test func `an Apple app's plist has what the official SDK checks`() async throws {
        let project = try await scene.project()
        let app = try await scene.run(.appCreate, "--bundle-id", "com.example.app")
        _ = try await scene.run(.appCreate, "--bundle-id", "com.example.app", "--platform", "android")
        let id = try #require(app.json["app_id"]?.string)
        let out = scene.file("GoogleService-Info.plist")
        _ = try await scene.run(
            .appConfig, "com.example.app", "--server", "https://push.example.com//", "--direct-channel",
            "push.example.com:5228", "--out", out)
        let text = String(decoding: try PrivateFile.read(out), as: UTF8.self)
        #expect(
            text
                == (try await scene.run(
                    .appConfig, id, "--server", "https://push.example.com", "--direct-channel", "push.example.com:5228"
                ).text + "\n"))
        func value(_ key: String) -> String? {
            guard let range = text.firstRange(of: "<key>\(key)</key>\n\t<string>") else { return nil }
            return String(text[range.upperBound...].prefix { $0 != "<" })
        }
        #expect(value("GOOGLE_APP_ID")?.wholeMatch(of: /1:[0-9]{12}:ios:[0-9a-f]+/) != nil)
        #expect(value("API_KEY")?.wholeMatch(of: /A[A-Za-z0-9_-]{38}/) != nil)
        #expect(value("GCM_SENDER_ID") == project.number.description)
        #expect(value("PROJECT_ID") == "my-app")
        #expect(value("BUNDLE_ID") == "com.example.app")
        #expect(value("PHAROS_SERVER_URL") == "https://push.example.com")
        #expect(value("PHAROS_DIRECT_CHANNEL") == "push.example.com:5228")
    }

    @Test(arguments: ["android", "web"]) func `no other app gets a plist`(platform: String) async throws {
        _ = try await scene.project()
        let bundle = platform == "web" ? [] : ["--bundle-id", "com.example.app"]
        let words = ["--platform", platform] + bundle
        let arguments = try CommandArguments(
            words, of: AdministrationCommand.appCreate.command, environment: { _ in nil })
        let app = try await AdministrationCommand.appCreate.work(scene.administration, arguments)
        let id = try #require(app.json["app_id"]?.string)
        #expect(await scene.refusal(of: .appConfig, id)?.nextStep.contains("--format json") == true)
        let json = try await scene.run(.appConfig, id, "--format", "json")
        #expect(try JSONValue(parsing: json.text)["GOOGLE_APP_ID"]?.string == id)
        #expect(await scene.refusal(of: .appConfig, id, "--format", "xml")?.exitCode == 2)
    }

    static let badConfigurations: [[String]] = [
        ["1:123456789012:ios:abc"], ["com.example.none"], [""], ["com.example.app", "--server", "ftp://x.example"],
        ["com.example.app", "--server", "https://"], ["com.example.app", "--server", "https://a b"],
        ["com.example.app", "--out", "/nowhere/file"],
    ]
    @Test(arguments: badConfigurations) func `a configuration that cannot be is refused`(words: [String]) async throws {
        _ = try await scene.project()
        _ = try await scene.run(.appCreate, "--bundle-id", "com.example.app")
        let arguments = try CommandArguments(
            words, of: AdministrationCommand.appConfig.command, environment: { _ in nil })
        await #expect(throws: CommandFailure.self) {
            try await AdministrationCommand.appConfig.work(scene.administration, arguments)
        }
    }

    @Test func `a directory without a database is no data directory, and project create makes one`() throws {
        let path = scene.file("new")
        #expect(throws: CommandFailure.self) { try Administration(dataDirectory: path, makesDirectory: false) }
        let made = try Administration(dataDirectory: path, makesDirectory: true)
        made.store.close()
        for file in ["pharos.sqlite3", "pharos.sqlite3-wal", "pharos.sqlite3-shm"] { unlink(path + "/" + file) }
        rmdir(path)
    }
}
