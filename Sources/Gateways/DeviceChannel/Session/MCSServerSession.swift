import EventLoop
import MCSWire
import PushModel

/// The rules of one device connection: bytes in, events and bytes out. Knows no socket, and is told the time.
///
/// ```swift
/// session.receive(bytes)
/// while let event = session.next(at: now, into: &output) { … }
/// ```
/// Stream ids are the number of a packet in its direction; no packet carries its own. A packet of the client is
/// confirmed once everything up to it is committed. Source: Chromium `mcs_client.cc`.
struct MCSServerSession: Sendable {
    /// The limits, once for all sessions.
    final class Rules: Sendable {
        let limits: SessionLimits

        init(_ limits: SessionLimits) {
            self.limits = limits
        }
    }

    enum Phase: Sendable, Equatable {
        case awaitingVersion, awaitingLogin, authenticating, streaming, ended
    }

    private let rules: Rules
    var phase = Phase.awaitingVersion
    /// Packets of kinds that this server does not know.
    var unknownPackets = 0
    var reader: MCSFrameReader
    /// The client's version byte, which is also the answer.
    var version: UInt8 = 0
    var incoming = IncomingPackets()
    /// Packets written.
    var outgoing: Int32 = 0
    var unacknowledged = UnacknowledgedMessages()
    /// The client has acknowledged something on this connection, in whatever way.
    var acknowledges = false
    var confirmation = Confirmation()
    /// From the login on.
    var silence: Silence?
    private let loginDeadline: MonotonicTime
    /// Further events of the packet that was read last.
    private var waiting: [SessionEvent] = []

    init(_ rules: Rules, now: MonotonicTime) {
        self.rules = rules
        reader = MCSFrameReader(maximumPayloadBytes: rules.limits.maximumPayloadBytes)
        reader.skipsRepeatedVersion = true
        loginDeadline = now.adding(rules.limits.loginDeadline)
    }

    var limits: SessionLimits { rules.limits }
    /// Bytes that wait to be read: of a packet that is not whole, or while the session waits for its owner.
    var unreadBytes: Int { reader.unreadBytes }
    /// Whether the session reads no packets until its owner has answered.
    var isWaiting: Bool { phase == .authenticating || incoming.uncommitted >= limits.uncommittedPackets }
    /// Whether one more message may be written.
    var isWindowOpen: Bool { phase == .streaming && unacknowledged.count < limits.unacknowledgedMessages }

    mutating func receive(_ bytes: some Collection<UInt8>, at now: MonotonicTime) {
        guard phase != .ended else { return }
        silence?.heard(at: now)
        reader.receive(bytes)
    }

    /// The next thing to do. `nil`: wait for bytes, or for the owner when `isWaiting`.
    mutating func next(at now: MonotonicTime, into output: inout [UInt8]) -> SessionEvent? {
        do throws(SessionEnd) {
            while waiting.isEmpty {
                guard phase != .ended, !isWaiting, let element = try nextElement() else { return nil }
                waiting = try handle(element, at: now, into: &output)
            }
            return takeWaiting()
        } catch {
            return finish(error)
        }
    }

    /// The memory of a list goes with its last event: between packets a session holds none.
    private mutating func takeWaiting() -> SessionEvent? {
        guard waiting.count == 1 else { return waiting.removeFirst() }
        defer { waiting = [] }
        return waiting.first
    }

    /// When `timePassed` is wanted next.
    var deadline: MonotonicTime? {
        switch phase {
        case .awaitingVersion, .awaitingLogin: loginDeadline
        case .streaming: earlier(silence?.deadline, confirmation.due)
        case .authenticating, .ended: nil
        }
    }

    private func earlier(_ one: MonotonicTime?, _ other: MonotonicTime?) -> MonotonicTime? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    mutating func timePassed(_ now: MonotonicTime, into output: inout [UInt8]) -> SessionEvent? {
        switch phase {
        case .awaitingVersion, .awaitingLogin: now >= loginDeadline ? finish(.loginTimedOut) : nil
        case .streaming: streamingTimePassed(now, into: &output)
        case .authenticating, .ended: nil
        }
    }

    /// One effect of a packet is committed.
    mutating func finished(_ packet: Int32) {
        incoming.finish(packet)
    }

    /// Ends the session from this side. Only a device that has another connection is told: old Apple clients take
    /// `Close` as the wish that they stay away, and come back from a plain end.
    mutating func end(_ reason: SessionEnd, into output: inout [UInt8]) -> SessionEvent? {
        guard phase != .ended else { return nil }
        if phase == .streaming, reason == .superseded { write(.close, into: &output) }
        return finish(reason)
    }

    mutating func finish(_ reason: SessionEnd) -> SessionEvent {
        phase = .ended
        waiting = []
        reader = MCSFrameReader(maximumPayloadBytes: 0)
        return .end(reason)
    }

    private mutating func nextElement() throws(SessionEnd) -> MCSFrameReader.Element? {
        do throws(MCSError) {
            return try reader.next()
        } catch {
            throw .badStream(error)
        }
    }

    private mutating func handle(
        _ element: MCSFrameReader.Element, at now: MonotonicTime, into output: inout [UInt8]
    ) throws(SessionEnd) -> [SessionEvent] {
        switch element {
        case .version(let version):
            guard MCSVersion.isServed(version) else { throw .versionNotServed(version) }
            self.version = version
            phase = .awaitingLogin
            return []
        case .packet(let packet):
            incoming.read()
            guard phase == .awaitingLogin else { return try streamed(packet, at: now, into: &output) }
            guard case .loginRequest(let request) = packet else { throw .notALogin }
            return [authenticate(request, into: &output)]
        }
    }
}
