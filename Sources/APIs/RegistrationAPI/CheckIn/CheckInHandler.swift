import Compression
public import HTTPSemantics
public import PushCore
public import Timekeeping

/// `POST /checkin`: JSON for the Apple SDK, protobuf for everybody else, told apart by the content type.
public struct CheckInHandler: Sendable {
    private let checkIn: DeviceCheckIn
    private let clock: any WallClock

    public init(checkIn: DeviceCheckIn, clock: any WallClock) {
        self.checkIn = checkIn
        self.clock = clock
    }

    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        do {
            return isJSON(request) ? try await respondJSON(to: request) : try await respondProtobuf(to: request)
        } catch {
            // Chromium repeats at once after a 400 or 401, but backs off after a 503.
            return HTTPResponse(status: 503, fields: HTTPFields([("retry-after", "30")]))
        }
    }

    private func isJSON(_ request: HTTPRequest) -> Bool {
        let type = request.head.fields["content-type"]?.lowercased() ?? ""
        return type.hasPrefix("application/json") || (type.isEmpty && request.body.first == UInt8(ascii: "{"))
    }

    /// The Apple SDK ignores the status and takes whatever pair it gets, so an unknown device simply starts over.
    private func respondJSON(to request: HTTPRequest) async throws(StoreError) -> HTTPResponse {
        guard let body = CheckInRequest.json(request.body) else {
            return HTTPResponse(status: 400, contentType: "text/plain", text: "The check-in is not a JSON object.")
        }
        var outcome = try await checkIn.checkIn(body.claimed, locale: body.locale)
        if outcome == .unknown { outcome = try await checkIn.checkIn(nil, locale: body.locale) }
        guard case .admitted(let device) = outcome else { return HTTPResponse(status: 503) }
        return HTTPResponse(
            status: 200, fields: HTTPFields([("content-type", "application/json; charset=UTF-8")]),
            body: CheckInReply(device: device, time: clock.now()).json)
    }

    /// A device that shows an unknown pair gets 401: Chromium then wipes its state and starts over.
    private func respondProtobuf(to request: HTTPRequest) async throws(StoreError) -> HTTPResponse {
        guard let body = try? CheckInRequest.protobuf(request.body) else {
            return HTTPResponse(status: 400, contentType: "text/plain", text: "The check-in is not a protobuf message.")
        }
        guard case .admitted(let device) = try await checkIn.checkIn(body.claimed, locale: body.locale) else {
            return HTTPResponse(status: 401, contentType: "text/plain", text: "Unknown device.")
        }
        return protobufResponse(CheckInReply(device: device, time: clock.now()).protobuf, to: request)
    }

    /// Android's old client always inflates what it asked for.
    private func protobufResponse(_ body: [UInt8], to request: HTTPRequest) -> HTTPResponse {
        let asked = request.head.fields["content-type"] ?? ""
        let type = asked.hasPrefix("application/x-protobuffer") ? asked : "application/x-protobuf"
        var fields = HTTPFields([("content-type", type)])
        guard request.head.fields.listMembers(of: "accept-encoding").contains(where: { $0.hasPrefix("gzip") }) else {
            return HTTPResponse(status: 200, fields: fields, body: body)
        }
        fields["content-encoding"] = "gzip"
        return HTTPResponse(status: 200, fields: fields, body: Deflation.deflate(body, format: .gzip))
    }
}
