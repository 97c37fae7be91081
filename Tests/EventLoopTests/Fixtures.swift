import Glibc

@testable import EventLoop

actor LoopCounter {
    nonisolated let unownedExecutor: UnownedSerialExecutor
    private let loop: EventLoop
    private(set) var value = 0
    private(set) var wasAlwaysIsolated = true

    init(on loop: EventLoop) {
        self.loop = loop
        unownedExecutor = loop.asUnownedSerialExecutor()
    }

    func increment() {
        value += 1
        if !loop.isCurrent { wasAlwaysIsolated = false }
    }
}

/// `@unchecked Sendable`: used on one loop's thread only.
final class Recorder: @unchecked Sendable {
    private(set) var entries: [String] = []

    func append(_ entry: String) {
        entries.append(entry)
    }
}

final class RecordingFlush: BatchFlushing {
    private let recorder: Recorder

    init(_ recorder: Recorder) {
        self.recorder = recorder
    }

    func flushBatch() {
        recorder.append("flush")
    }
}

/// `@unchecked Sendable`: used on one loop's thread only.
final class Spinner: @unchecked Sendable {
    private let loop: EventLoop
    var isStopped = false

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    func spin() {
        guard !isStopped else { return }
        loop.executeLater { self.spin() }
    }
}

struct Pipe: Sendable {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0, fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else {
            throw EventLoopError.system(call: "pipe", code: errno)
        }
        (reading, writing) = (ends[0], ends[1])
    }
}

/// Counts what arrives in a pipe.
///
/// `@unchecked Sendable`: the loop's thread writes; the test reads after the loop has ended.
final class PipeReader: DescriptorHandler, @unchecked Sendable {
    private let pipe: Pipe
    private let loop: EventLoop
    private(set) var bytesRead = 0
    private(set) var wasToldToStop = false
    var onRead: (() -> Void)?
    var onStop: (() -> Void)?

    init(_ pipe: Pipe, loop: EventLoop) {
        self.pipe = pipe
        self.loop = loop
    }

    func start() {
        try? loop.registerReader(pipe.reading, handler: self)
    }

    func ready(_ events: ReadyEvents) {
        while true {
            let count = read(pipe.reading, loop.scratch.baseAddress, loop.scratch.count)
            guard count > 0 else { break }
            bytesRead += count
        }
        onRead?()
    }

    func stop() {
        loop.deregister(pipe.reading)
        close(pipe.reading)
        close(pipe.writing)
    }

    func loopIsStopping() {
        wasToldToStop = true
        onStop?()
        stop()
    }
}
