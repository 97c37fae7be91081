internal import CNghttp2

/// The client end of one HTTP/2 connection: requests in, bytes out; bytes in, events out.
///
/// Knows no socket and no clock, and belongs to one event loop. Keeps no queue of its own: the caller submits a request
/// only while `activeStreams` is below `peerMaximumConcurrentStreams` and the windows hold its body, since nghttp2
/// starves single streams whose bodies wait. Source: RFC 9113, RFC 7541.
public final class HTTP2ClientSession {
    let observer: HTTP2ClientObserver
    let handle: SessionHandle
    private let maximumQueuedFrames: Int
    private var output = FrameOutput()
    private var hasFailed = false
    @exclusivity(unchecked) var encoder = FieldEncoder()

    public init(_ configuration: HTTP2ClientConfiguration = HTTP2ClientConfiguration()) {
        observer = HTTP2ClientObserver(configuration)
        maximumQueuedFrames = configuration.maximumQueuedFrames
        handle = SessionHandle(
            role: .client, observer: Unmanaged.passUnretained(observer).toOpaque(),
            flowControl: configuration.flowControl, answersPings: true, callbacks: HTTP2ClientObserver.install)
        do throws(HTTP2Error) {
            let noPush = nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0)
            try handle.submit(settings: [noPush] + configuration.settings.entries)
            try handle.setConnectionWindow(bytes: configuration.connectionWindowBytes)
        } catch {
            fail(error)
        }
    }

    /// Takes bytes of the peer. After `failed` nothing more is taken.
    ///
    /// - Returns: What they mean, and what happened while output was drained since the last call.
    public func receive(_ bytes: UnsafeRawBufferPointer) -> [HTTP2ClientEvent] {
        guard !hasFailed else { return takeEvents() }
        do throws(HTTP2Error) {
            try handle.receive(bytes)
            if handle.queuedFrames > maximumQueuedFrames { throw .flooded }
        } catch {
            fail(error)
        }
        return takeEvents()
    }

    /// Events that came up while output was drained, as a request that could not be sent any more.
    public func takeEvents() -> [HTTP2ClientEvent] {
        observer.takeEvents()
    }

    /// Appends waiting frames to `output` until it holds `maximum` bytes; a frame may be cut there and go on next time.
    public func drainOutput(into output: inout [UInt8], maximum: Int = 16_384) {
        do throws(HTTP2Error) {
            try self.output.drain(handle, into: &output, maximum: maximum)
        } catch {
            fail(error)
        }
    }

    /// `true` while `drainOutput` has something to give.
    public var wantsWrite: Bool { output.wantsWrite(handle) }

    /// `true` when all is written and nothing more will be read: close the connection.
    public var isFinished: Bool { !wantsWrite && (hasFailed || !handle.wantsRead) }

    private func fail(_ error: HTTP2Error) {
        guard !hasFailed else { return }
        hasFailed = true
        observer.append(.failed(error))
    }
}
