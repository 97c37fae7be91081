import HTTPSemantics
import JSON
import PropertyTesting
import PushModel
import Testing
import Timekeeping

@testable import LegacyAPI

@Suite struct `Any legacy body` {
    static let bodies =
        `Legacy JSON bodies`.targets.map(\.content.body).filter { $0.utf8.count < 1000 }
        + `Legacy JSON bodies`.refused.map(\.content.body).filter { $0.utf8.count < 1000 }
        + `Legacy JSON bodies`.failing.map { #"{"to":"a",\#($0.content.member)}"# }
        + [#"{"to":"a","notification":{"title":"t","badge":"2","body_loc_args":"[\"x\"]","icon":"i","n":{"a":[1]}}}"#]

    @Test func `is read or refused, and never traps`() {
        var random = SeededGenerator(seed: 31)
        let alphabet = Array(#"{}[]:,"\/tfn0123456789.eE+-&=%+ "#.utf8) + [0xEF, 0xBB, 0xBF, 0xC0, 0xFF, 0]
        for round in 0..<6000 {
            let body = random.mutate(Array(Self.bodies[round % Self.bodies.count].utf8), alphabet: alphabet)
            if let request = try? LegacyJSONDecoder.decode(body) { check(request) }
            if let request = try? LegacyFormDecoder.decode(body) { check(request) }
            _ = try? GroupRequest(body)
        }
    }

    private func check(_ request: LegacyRequest) {
        if case .many(let tokens) = request.target { #expect((1...1000).contains(tokens.count)) }
        guard case .success(let content) = request.content else { return }
        #expect(TimeToLive.allowedSeconds.contains(content.timeToLive.seconds))
        let message = content.message(at: .init(seconds: 1), digest: { _ in Array(repeating: 0, count: 32) })
        #expect(message.apns?.payload.map { $0["aps"]?.kind == .object } != false)
    }

    @Test func `says the same as a form and as JSON`() throws {
        var random = SeededGenerator(seed: 32)
        for _ in 0..<1000 {
            let names = ["a", "key", "ü", "x y", "n%41", "😀"]
            var data = JSONObject()
            for name in names where Bool.random(using: &random) {
                data[name] = .string(
                    String(decoding: random.bytes(Int.random(in: 0...12, using: &random)), as: UTF8.self))
            }
            let form =
                (["registration_id=t"] + data.map { "data.\(encoded($0.name))=\(encoded($0.value.string ?? ""))" })
                .joined(separator: "&")
            let json = JSONValue.object(["to": "t", "data": .object(data)])
            let read = try LegacyFormDecoder.decode(Array(form.utf8))
            #expect(try read == LegacyJSONDecoder.decode(json.encoded))
        }
    }

    private func encoded(_ text: String) -> String {
        PercentEncoding.encode(text).replacing("%20", with: "+")
    }
}
