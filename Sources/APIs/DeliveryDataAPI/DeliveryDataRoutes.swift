public import GoogleAPI
import HTTPSemantics
import JSON
public import PushCore
import PushModel
public import Reports
public import Timekeeping

/// `GET /v1beta1/projects/{project}/androidApps/{app}/deliveryData`: what became of messages to an Android app, by day in
/// California and by analytics label, newest day first.
///
/// Source: Firebase Cloud Messaging Data API, v1beta1. Google is up to five days late and leaves out rows with few
/// messages; here today counts, and every row is there.
public struct DeliveryDataRoutes: Sendable {
    private static let operation = GoogleError.Operation(
        service: "fcmdata.googleapis.com",
        method: "google.firebase.fcm.data.v1beta1.FcmDataApiService.ListAndroidDeliveryData")
    private static let permission = "firebase.cloudmessaging.read"
    /// Days that can be asked for, today included.
    static let days: Int64 = 7

    private let store: any ReportStore
    private let projects: any ProjectDirectory
    private let authentication: CallerAuthentication
    private let clock: any WallClock

    public init(
        store: any ReportStore, projects: any ProjectDirectory, authentication: CallerAuthentication,
        clock: any WallClock
    ) {
        self.store = store
        self.projects = projects
        self.authentication = authentication
        self.clock = clock
    }

    public func add(to router: inout Router) {
        router.get("/v1beta1/projects/{project}/androidApps/{app}/deliveryData") { request in
            do throws(GoogleError) {
                return HTTPResponse(json: .object(try answer(request)))
            } catch {
                return error.response
            }
        }
    }

    private func answer(_ request: RoutedRequest) throws(GoogleError) -> JSONObject {
        let name = request[parameter: "project"]
        let caller = try authentication.caller(of: request.head, for: Self.operation, anyOf: .deliveryData)
        let project = try authentication.require(
            Self.permission, of: caller, in: projects.project(named: name), named: name)
        let app = try androidApp(request[parameter: "app"], in: project)
        let page = try DeliveryDataPage(request)
        let today = PacificTime.day(at: clock.now())
        let query = DeliveryDataQuery(
            project: project.number, app: app, days: today - Self.days + 1...today, after: page.after,
            limit: page.size + 1)
        let rows: [DeliveryDataRow]
        do {
            rows = try store.deliveryData(query)
        } catch {
            throw GoogleError(.unavailable, "The service is currently unavailable.", retryAfterSeconds: 30)
        }
        return page.answer(rows, app: app)
    }

    private func androidApp(_ text: String, in project: Project) throws(GoogleError) -> String {
        guard let id = AppID(text) else {
            throw .invalidField("parent", "The app must be an app id of the form 1:<number>:android:<hex>.")
        }
        guard id.platform == .android else {
            throw .invalidField("parent", "There is delivery data of Android apps only.")
        }
        guard id.project == project.number, projects.app(id: id) != nil else {
            throw GoogleError(.notFound, "Requested entity was not found.")
        }
        return id.text
    }
}

extension OAuthScopes {
    fileprivate static let deliveryData: OAuthScopes = [.cloudPlatform, .firebase]
}
