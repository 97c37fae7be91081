import Glibc
import Testing

@testable import EventLoop

@Suite struct `Event loop` {
    /// Runs the body on a fresh loop's executor.
    private func onLoop<Result: Sendable>(
        _ body: @escaping @Sendable (EventLoop) async throws -> Result
    ) async throws -> Result {
        let group = try EventLoopGroup(count: 1)
        defer { group.shutDown() }
        let loop = group.next()
        return try await Task(executorPreference: loop) { try await body(loop) }.value
    }

    @Test func `a task that prefers the loop runs on its thread`() async throws {
        let isCurrent = try await onLoop { loop in loop.isCurrent && EventLoop.current === loop }
        #expect(isCurrent)
        #expect(EventLoop.current == nil)
    }

    @Test func `a task comes back to the loop after waiting for another thread`() async throws {
        let places = try await onLoop { loop in
            var places: [Bool] = []
            for _ in 0..<100 {
                await Task.detached {}.value
                places.append(loop.isCurrent)
            }
            return places
        }
        #expect(places.count == 100 && places.allSatisfy(\.self))
    }

    @Test func `an actor with the loop as its executor is isolated on it`() async throws {
        let group = try EventLoopGroup(count: 1)
        defer { group.shutDown() }
        let counter = LoopCounter(on: group.next())
        await withTaskGroup { tasks in
            for _ in 0..<500 { tasks.addTask { await counter.increment() } }
        }
        #expect(await counter.value == 500)
        #expect(await counter.wasAlwaysIsolated)
    }

    @Test func `callbacks may assume the isolation of an actor on the loop`() async throws {
        let group = try EventLoopGroup(count: 1)
        defer { group.shutDown() }
        let loop = group.next()
        let counter = LoopCounter(on: loop)
        await withCheckedContinuation { done in
            loop.execute {
                counter.assumeIsolated { $0.increment() }
                done.resume()
            }
        }
        #expect(await counter.value == 1)
    }

    @Test func `work from many threads arrives whole`() async throws {
        let group = try EventLoopGroup(count: 2)
        defer { group.shutDown() }
        let counters = group.loops.map(LoopCounter.init(on:))
        await withTaskGroup { tasks in
            for index in 0..<2_000 {
                let counter = counters[index % 2]
                let loop = group.loops[index % 2]
                tasks.addTask {
                    await withCheckedContinuation { done in
                        loop.execute {
                            counter.assumeIsolated { $0.increment() }
                            done.resume()
                        }
                    }
                }
            }
        }
        #expect(await counters[0].value == 1_000)
        #expect(await counters[1].value == 1_000)
    }

    @Test func `timers fire in the order of their deadlines`() async throws {
        let order = try await onLoop { loop in
            let recorder = Recorder()
            await withCheckedContinuation { done in
                loop.schedule(after: .milliseconds(6)) { done.resume() }
                loop.schedule(after: .milliseconds(4)) { recorder.append("4") }
                loop.schedule(after: .milliseconds(2)) { recorder.append("2a") }
                loop.schedule(after: .milliseconds(2)) { recorder.append("2b") }
                loop.schedule(after: .zero) { recorder.append("0") }
            }
            return recorder.entries
        }
        #expect(order == ["0", "2a", "2b", "4"])
    }

    @Test func `a cancelled timer does not fire`() async throws {
        let order = try await onLoop { loop in
            let recorder = Recorder()
            await withCheckedContinuation { done in
                let cancelled = loop.schedule(after: .milliseconds(1)) { recorder.append("cancelled") }
                loop.schedule(after: .milliseconds(3)) { done.resume() }
                cancelled.cancel()
                cancelled.cancel()
                recorder.append("pending: \(cancelled.isPending)")
            }
            return recorder.entries
        }
        #expect(order == ["pending: false"])
    }

    @Test func `a flush runs after the jobs of its round`() async throws {
        let order = try await onLoop { loop in
            let recorder = Recorder()
            let flush = RecordingFlush(recorder)
            loop.flushAfterBatch(flush)
            for index in 0..<3 { loop.executeLater { recorder.append("\(index)") } }
            await withCheckedContinuation { done in loop.schedule(after: .zero) { done.resume() } }
            return recorder.entries
        }
        #expect(order == ["0", "1", "2", "flush"])
    }

    @Test func `jobs that spawn jobs for ever do not starve a timer`() async throws {
        let fired = try await onLoop { loop in
            let spinner = Spinner(loop)
            spinner.spin()
            await withCheckedContinuation { done in loop.schedule(after: .milliseconds(1)) { done.resume() } }
            spinner.isStopped = true
            return true
        }
        #expect(fired)
    }

    /// A loop that was busy has late timers, and more ready descriptors than one look finds.
    @Test func `everything that has arrived is reported before a late timer fires`() async throws {
        let reported = try await onLoop { loop in
            let pipes = try (0..<300).map { _ in try Pipe() }
            let recorder = Recorder()
            let readers = pipes.map { PipeReader($0, loop: loop) }
            for reader in readers {
                reader.onRead = { recorder.append("read") }
                reader.start()
            }
            var byte: UInt8 = 0
            for pipe in pipes { write(pipe.writing, &byte, 1) }
            let reported = await withCheckedContinuation { done in
                loop.schedule(after: .nanoseconds(1)) { done.resume(returning: recorder.entries.count) }
            }
            for reader in readers { reader.stop() }
            return reported
        }
        #expect(reported == 300)
    }

    @Test func `a descriptor that became readable is reported, and not after it was deregistered`() async throws {
        let bytesRead = try await onLoop { loop in
            let pipe = try Pipe()
            let reader = PipeReader(pipe, loop: loop)
            reader.start()
            await withCheckedContinuation { done in
                reader.onRead = { done.resume() }
                write(pipe.writing, "hello", 5)
            }
            reader.onRead = nil
            write(pipe.writing, "more", 4)
            loop.deregister(pipe.reading)
            await withCheckedContinuation { done in loop.schedule(after: .milliseconds(1)) { done.resume() } }
            reader.stop()
            return reader.bytesRead
        }
        #expect(bytesRead == 5)
    }

    @Test func `the loops take turns`() throws {
        let group = try EventLoopGroup(count: 3)
        defer { group.shutDown() }
        let turns = (0..<6).map { _ in group.next() }
        #expect(turns[0] !== turns[1] && turns[1] !== turns[2])
        #expect(turns[0] === turns[3] && turns[2] === turns[5])
    }

    @Test func `shutting down tells the handlers, finishes queued work and refuses more`() async throws {
        let group = try EventLoopGroup(count: 1)
        let loop = group.next()
        let pipe = try Pipe()
        let stopped = await withCheckedContinuation { (done: CheckedContinuation<PipeReader, Never>) in
            loop.execute {
                let reader = PipeReader(pipe, loop: loop)
                reader.start()
                done.resume(returning: reader)
            }
        }
        group.shutDown()
        group.shutDown()
        #expect(stopped.wasToldToStop)
        #expect(!loop.execute {})
    }

    @Test func `a loop that is ending watches no new descriptor`() async throws {
        let group = try EventLoopGroup(count: 1)
        let loop = group.next()
        let (first, second) = (try Pipe(), try Pipe())
        let outcome = Recorder()
        loop.execute {
            let late = PipeReader(second, loop: loop)
            let reader = PipeReader(first, loop: loop)
            reader.onStop = {
                do throws(EventLoopError) {
                    try loop.registerReader(second.reading, handler: late)
                } catch {
                    outcome.append("\(error)")
                }
                late.stop()
            }
            reader.start()
        }
        group.shutDown()
        #expect(outcome.entries == ["stopping"])
    }
}
