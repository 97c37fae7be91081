import AppServerTesting
import GoogleAPI
import HTTPSemantics
import JSON
import PushCore
import PushModel
import Reports
import SQLiteStore
import Testing
import Timekeeping

@testable import DeliveryDataAPI

@Suite struct `Delivery data` {
    private static let auth = [("authorization", "Bearer kitchen-cloud")]

    private func router(_ world: AppServerWorld) -> Router {
        var router = Router()
        DeliveryDataRoutes(
            store: world.store, projects: world.store, authentication: world.authentication, clock: world.clock
        ).add(to: &router)
        return router
    }

    private func world() async throws -> (AppServerWorld, Router, app: AppID) {
        let world = try await AppServerWorld()
        let app = try await world.store.createApp(
            in: world.project.number, platform: .android, bundleID: "com.example.android", displayName: "")
        return (world, router(world), app.id)
    }

    @Test func `has a row for each day and label, by page`() async throws {
        let (world, router, app) = try await world()
        let draft = RegistrationDraft(
            project: world.project.number, app: app, fid: "", bundleID: "com.example.android", channel: .device,
            isFIDMode: false, androidID: 5, time: world.clock.now(), freshNonce: 1)
        let device = try await world.store.register(draft)
        for (number, label) in [nil, "a", "a", "b"].enumerated() {
            let message = Message(
                data: [.init(key: "k", value: "v")], analyticsLabel: label.flatMap { AnalyticsLabel($0) })
            let validated = ValidatedMessage(
                id: MessageID(value: world.clock.now().milliseconds * 1000 + Int64(number)), project: world.project,
                target: .token("t"), message: message, acceptedAt: world.clock.now(),
                expiresAt: world.clock.now().adding(seconds: 60))
            let dimensions = ReportDimensions(message, to: device)
            let accepted = try await world.store.accept(
                validated, deliveries: [PlannedDelivery(registration: device.id, dimensions: dimensions)])
            guard number > 1 else { continue }
            world.store.finish([
                FinishedDelivery(
                    id: accepted.deliveries[0].id, message: validated.id, project: world.project.number,
                    registration: device.id, outcome: .accepted(providerID: "0:x"), time: world.clock.now(),
                    dimensions: dimensions)
            ])
        }
        _ = try await world.store.register(draft)
        let path = "/v1beta1/projects/demo-kitchen/androidApps/\(app)/deliveryData"
        let answer = await router.call("GET", path, fields: Self.auth)
        let rows = try #require(try JSONValue(parsing: answer.body)["androidDeliveryData"]?.array)
        #expect(rows.map { $0["analyticsLabel"]?.string } == [nil, "a", "b"])
        #expect(rows[1]["data"]?["countMessagesAccepted"]?.string == "2")
        #expect(rows[1]["data"]?["messageOutcomePercents"]?["delivered"]?.double == 50)
        #expect(rows[1]["data"]?["messageOutcomePercents"]?["pending"]?.double == 50)
        #expect(rows[0]["date"] == ["year": 2023, "month": 11, "day": 14])
        var (found, token): ([String], String?) = ([], "")
        while let next = token {
            let page = try JSONValue(
                parsing: await router.call("GET", path + "?pageSize=1&pageToken=\(next)", fields: Self.auth).body)
            found += (page["androidDeliveryData"]?.array ?? []).map { $0["analyticsLabel"]?.string ?? "" }
            token = page["nextPageToken"]?.string
        }
        #expect(found == ["", "a", "b"])
        let number = "/v1beta1/projects/\(world.project.number)/androidApps/\(app)/deliveryData"
        #expect(await router.call("GET", number, fields: Self.auth).status == 200)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var path: String
        var token: String? = "kitchen-cloud"
        var status: Int
        var testDescription: String { "\(path) \(token ?? "none")" }
    }

    static let refusals = [
        Refusal(path: "demo-kitchen/androidApps/APP", token: nil, status: 401),
        Refusal(path: "demo-kitchen/androidApps/APP", token: "old", status: 401),
        Refusal(path: "demo-kitchen/androidApps/APP", token: "kitchen", status: 403),
        Refusal(path: "demo-kitchen/androidApps/APP", token: "kitchen-others", status: 403),
        Refusal(path: "demo-garden/androidApps/APP", status: 403),
        Refusal(path: "demo-nowhere/androidApps/APP", status: 403),
        Refusal(path: "demo-kitchen/androidApps/com.example.android", status: 400),
        Refusal(path: "demo-kitchen/androidApps/IOS", status: 400),
        Refusal(path: "demo-kitchen/androidApps/1:123456789012:android:abc", status: 404),
    ]

    @Test(arguments: refusals) func `is refused as Google refuses it`(refusal: Refusal) async throws {
        let (world, router, app) = try await world()
        let path = refusal.path.replacing("APP", with: app.text).replacing("IOS", with: world.app.id.text)
        let fields = refusal.token.map { [("authorization", "Bearer " + $0)] } ?? []
        let answer = await router.call("GET", "/v1beta1/projects/\(path)/deliveryData", fields: fields)
        #expect(answer.status == refusal.status)
        #expect(try JSONValue(parsing: answer.body)["error"]?["code"]?.int64 == Int64(refusal.status))
    }

    @Test(arguments: ["pageSize=-1", "pageSize=x", "pageToken=!", "pageToken=AAAA", "page_token=%20"])
    func `knows only its own pages`(query: String) async throws {
        let (_, router, app) = try await world()
        let answer = await router.call(
            "GET", "/v1beta1/projects/demo-kitchen/androidApps/\(app)/deliveryData?\(query)", fields: Self.auth)
        #expect(answer.status == 400)
    }
}
