internal import CNghttp2

/// The server end of one HTTP/2 connection: bytes in, events out; answers in, bytes out.
///
/// Knows no socket and no clock, and belongs to one event loop. Source: RFC 9113, RFC 7541.
public final class HTTP2ServerSession {
    let observer: HTTP2ServerObserver
    let handle: SessionHandle
    private let maximumQueuedFrames: Int
    private var output = FrameOutput()
    /// Values of `SETTINGS_MAX_CONCURRENT_STREAMS` for the SETTINGS frames that are still to be written.
    private var unsentStreamLimits: [Int] = []
    private var hasFailed = false
    var encoder = FieldEncoder()

    public init(_ configuration: HTTP2ServerConfiguration = HTTP2ServerConfiguration()) {
        observer = HTTP2ServerObserver(configuration)
        maximumQueuedFrames = configuration.maximumQueuedFrames
        handle = SessionHandle(
            role: .server, observer: Unmanaged.passUnretained(observer).toOpaque(),
            flowControl: configuration.flowControl, answersPings: configuration.answersPings,
            callbacks: HTTP2ServerObserver.install)
        do throws(HTTP2Error) {
            try submitSettings(configuration.settings)
            try handle.setConnectionWindow(bytes: configuration.connectionWindowBytes)
        } catch {
            fail(error)
        }
    }

    /// Takes bytes of the peer. After `failed` nothing more is taken.
    ///
    /// - Returns: What they mean, and what happened while output was drained since the last call.
    public func receive(_ bytes: UnsafeRawBufferPointer) -> [HTTP2ServerEvent] {
        guard !hasFailed else { return takeEvents() }
        do throws(HTTP2Error) {
            try handle.receive(bytes)
            if handle.queuedFrames > maximumQueuedFrames { throw .flooded }
        } catch {
            fail(error)
        }
        return takeEvents()
    }

    /// Events that came up while output was drained, as the closing of an answered stream.
    public func takeEvents() -> [HTTP2ServerEvent] {
        observer.takeEvents()
    }

    /// Appends waiting frames to `output` until it holds `maximum` bytes; a frame may be cut there and go on next time.
    public func drainOutput(into output: inout [UInt8], maximum: Int = 16_384) {
        do throws(HTTP2Error) {
            try self.output.drain(handle, into: &output, maximum: maximum, edit: announceStreamLimit)
        } catch {
            fail(error)
        }
    }

    /// `true` while `drainOutput` has something to give.
    public var wantsWrite: Bool { output.wantsWrite(handle) }

    /// `true` when all is written and nothing more will be read: close the connection.
    public var isFinished: Bool { !wantsWrite && (hasFailed || !handle.wantsRead) }

    /// Streams that are open, from the first HEADERS to the end of both directions.
    public var openStreams: Int { observer.openStreams }

    /// Sends a SETTINGS frame. A new stream limit holds at once: a stream beyond it is refused.
    public func submitSettings(_ settings: HTTP2Settings) throws(HTTP2Error) {
        var settings = settings
        if let limit = settings.maximumConcurrentStreams {
            unsentStreamLimits.append(min(max(limit, 0), Int(Int32.max)))
            observer.maximumConcurrentStreams = limit
            settings.maximumConcurrentStreams = Int(Int32.max)
        }
        try handle.submit(settings: settings.entries)
    }

    private func fail(_ error: HTTP2Error) {
        guard !hasFailed else { return }
        hasFailed = true
        observer.append(.failed(error))
    }

    /// Writes the limit into a SETTINGS frame that changes it.
    private func announceStreamLimit(in frame: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let limit = unsentStreamLimits.first, SettingsFrame.isSettings(frame) else { return nil }
        var edited = Array(frame)
        guard SettingsFrame.replaceStreamLimit(in: &edited, with: limit) else { return nil }
        unsentStreamLimits.removeFirst()
        return edited
    }
}
