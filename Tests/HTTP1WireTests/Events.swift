import HTTP1Wire
import HTTPSemantics

/// All events that `pieces` give, with body pieces joined: where a body is cut says nothing.
func requestEvents(
    pieces: [[UInt8]], source: HTTP1RequestParser.Source = .connection, limits: HTTP1Limits = HTTP1Limits()
) -> [HTTP1RequestEvent] {
    var parser = HTTP1RequestParser(limits: limits, source: source)
    var events: [HTTP1RequestEvent] = []
    for piece in pieces {
        piece.withUnsafeBytes { parser.receive($0) }
        while let event = parser.nextEvent() {
            if case .body(let more) = event, case .body(let earlier)? = events.last {
                events[events.count - 1] = .body(earlier + more)
            } else {
                events.append(event)
            }
        }
    }
    return events
}

func requestEvents(
    _ text: String, source: HTTP1RequestParser.Source = .connection, limits: HTTP1Limits = HTTP1Limits()
) -> [HTTP1RequestEvent] {
    requestEvents(pieces: [Array(text.utf8)], source: source, limits: limits)
}

/// All events that `pieces` give, body pieces joined, then those of the closed connection.
func responseEvents(pieces: [[UInt8]], to method: String = "GET", closes: Bool = false) -> [HTTP1ResponseEvent] {
    var parser = HTTP1ResponseParser(to: method)
    var events: [HTTP1ResponseEvent] = []
    for piece in pieces {
        piece.withUnsafeBytes { parser.receive($0) }
        while let event = parser.nextEvent() {
            if case .body(let more) = event, case .body(let earlier)? = events.last {
                events[events.count - 1] = .body(earlier + more)
            } else {
                events.append(event)
            }
        }
    }
    if closes, let event = parser.receiveEnd() { events.append(event) }
    return events
}

func responseEvents(_ text: String, to method: String = "GET", closes: Bool = false) -> [HTTP1ResponseEvent] {
    responseEvents(pieces: [Array(text.utf8)], to: method, closes: closes)
}

extension [HTTP1RequestEvent] {
    var starts: [HTTP1RequestStart] { compactMap { if case .head(let start) = $0 { start } else { nil } } }
}

extension [HTTP1ResponseEvent] {
    var starts: [HTTP1ResponseStart] { compactMap { if case .head(let start) = $0 { start } else { nil } } }
}
