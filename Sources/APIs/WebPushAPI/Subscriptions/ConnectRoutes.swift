public import GoogleAPI
import HTTPSemantics
import JSON
public import PushCore
import PushModel

/// `POST /fcm/connect/subscribe` and `…/unsubscribe`: the registration of the first web SDK, which older receivers still
/// use. It proves nothing about the caller; the answer's `pushSet` is the secret by which he changes or ends it later.
///
/// Source: Firebase JavaScript SDK 4, `iid-model`; shut down by Google in June 2024.
public struct ConnectRoutes: Sendable {
    private static let bodyLimitBytes = 16_384

    private let subscriber: BrowserSubscriber
    private let directory: any ProjectDirectory

    public init(subscriber: BrowserSubscriber, directory: any ProjectDirectory) {
        self.subscriber = subscriber
        self.directory = directory
    }

    public var router: Router {
        var router = Router()
        router.post("/fcm/connect/subscribe", bodyLimitBytes: Self.bodyLimitBytes, allowsCrossOrigin: true) {
            await subscribe($0)
        }
        router.post("/fcm/connect/unsubscribe", bodyLimitBytes: Self.bodyLimitBytes, allowsCrossOrigin: true) {
            await unsubscribe($0)
        }
        return router
    }

    private func subscribe(_ request: RoutedRequest) async -> HTTPResponse {
        do throws(GoogleError) {
            let form = try Form(request.body)
            let project = try project(of: form)
            guard
                let address = SubscriptionForm.address(
                    endpoint: form["endpoint"], p256dh: form["encryption_key"], auth: form["encryption_auth"],
                    applicationKey: form["application_pub_key"])
            else { throw GoogleError(.invalidArgument, "The subscription has no usable endpoint or keys.") }
            let token = try await register(address, form, in: project)
            return HTTPResponse(json: ["token": .string(token), "pushSet": .string(subscriber.secret(of: token))])
        } catch {
            return error.response
        }
    }

    private func register(
        _ address: BrowserAddress, _ form: Form, in project: Project
    ) async throws(GoogleError) -> String {
        do throws(BrowserSubscriber.Refusal) {
            guard let token = form["token"], !token.isEmpty else {
                return try await subscriber.subscribe(address, in: project.number).token
            }
            try subscriber.check(form.secret, of: token)
            return try await subscriber.renew(token, address, in: project.number).token
        } catch {
            throw GoogleError(error)
        }
    }

    private func unsubscribe(_ request: RoutedRequest) async -> HTTPResponse {
        do throws(GoogleError) {
            let form = try Form(request.body)
            let project = try project(of: form)
            let token = form["token"] ?? ""
            do throws(BrowserSubscriber.Refusal) {
                try subscriber.check(form.secret, of: token)
                try await subscriber.unsubscribe(token, in: project.number)
            } catch {
                throw GoogleError(error)
            }
            return HTTPResponse(json: [:])
        } catch {
            return error.response
        }
    }

    private func project(of form: Form) throws(GoogleError) -> Project {
        guard let project = ProjectNumber(form["authorized_entity"] ?? "").flatMap({ directory.project(number: $0) })
        else { throw GoogleError(.invalidArgument, "authorized_entity is no sender id of this service.") }
        return project
    }

    /// A form body of a few fields.
    private struct Form {
        static let maximumFields = 50

        private let fields: [String: String]

        init(_ body: [UInt8]) throws(GoogleError) {
            guard let text = String(validating: body, as: UTF8.self) else {
                throw GoogleError(.invalidArgument, "The body is no form.")
            }
            let pairs = PercentEncoding.formPairs(text)
            guard pairs.count <= Self.maximumFields else {
                throw GoogleError(.invalidArgument, "The form has too many fields.")
            }
            fields = Dictionary(pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
        }

        subscript(name: String) -> String? { fields[name] }

        /// Spelt in one way by the calls that made it and in another by those that use it.
        var secret: String { fields["push_set"] ?? fields["pushSet"] ?? "" }
    }
}

extension GoogleError {
    /// The one table from refused subscriptions to Google's errors.
    init(_ refusal: BrowserSubscriber.Refusal) {
        self =
            switch refusal {
            case .badEndpoint:
                GoogleError(.invalidArgument, "No live push subscription has that endpoint and application server key.")
            case .unknownToken: GoogleError(.notFound, "Requested entity was not found.")
            case .wrongSecret: GoogleError(.permissionDenied, "The pushSet is not that of the token.")
            case .unavailable:
                GoogleError(.unavailable, "The service is currently unavailable.", retryAfterSeconds: 30)
            }
    }
}
