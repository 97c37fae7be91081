public import GoogleAPI
import HTTPSemantics
import JSON
import ProtobufWire
public import PushCore
import PushModel

/// `POST /v0cc/log/batch`: where Firebase SDKs upload what they log. Messaging's events are kept; those of other products
/// are taken and forgotten, so that their SDKs do not repeat them.
///
/// The key that callers send is the data transport's own, the same in all apps, and says nothing. Source:
/// GoogleDataTransport (protobuf) and the Android transport backend (JSON).
public struct EventLogRoutes: Sendable {
    private static let bodyLimitBytes = 1 << 20

    private let intake: ReportIntake

    public init(intake: ReportIntake) {
        self.intake = intake
    }

    public var router: Router {
        var router = Router()
        router.add(
            Route("POST", "/v0cc/log/batch", bodyLimitBytes: Self.bodyLimitBytes) { [self] request in
                await respond(to: request.request)
            })
        return router
    }

    private func respond(to request: HTTPRequest) async -> HTTPResponse {
        let isJSON = request.head.fields["content-type"]?.lowercased().hasPrefix("application/json") ?? false
        do throws(LoggedEvents.Refusal) {
            let batch = try isJSON ? LoggedEvents.json(request.body) : LoggedEvents.protobuf(request.body)
            return await take(batch, isJSON: isJSON)
        } catch {
            let text = error == .tooMany ? "A batch has at most \(LoggedEvents.maximumCount) events." : "Not a batch."
            return HTTPResponse(status: 400, contentType: "text/plain; charset=UTF-8", text: text)
        }
    }

    private func take(_ batch: LoggedEvents, isJSON: Bool) async -> HTTPResponse {
        let events = batch.events.compactMap { try? ReportedEvent(protobuf: $0.bytes, at: $0.time) }
        do {
            // Devices keep their events after 429 and 503, and drop them after most others.
            if try await intake.take(events).isLimited {
                return HTTPResponse(status: 429, fields: HTTPFields([("retry-after", "60")]))
            }
        } catch {
            return HTTPResponse(status: 503, fields: HTTPFields([("retry-after", "30")]))
        }
        return isJSON ? HTTPResponse(json: ["nextRequestWaitMillis": "0"]) : Self.protobufAnswer
    }

    /// `LogResponse`: the next upload may come at once. Without that Apple's transport waits a quarter of an hour.
    private static var protobufAnswer: HTTPResponse {
        var writer = ProtobufWriter()
        writer.write(Int64(0), field: 1)
        return HTTPResponse(
            status: 200, fields: HTTPFields([("content-type", "application/x-protobuf")]), body: writer.bytes)
    }
}
