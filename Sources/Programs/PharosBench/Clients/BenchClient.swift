import EventLoop
import Transport

/// One client's connection: does what its dialect says, and tells its crowd.
///
/// `@unchecked Sendable`: touched on its loop's thread only.
final class BenchClient: ConnectionHandler, @unchecked Sendable {
    private var dialect: any ClientDialect
    private unowned let crowd: ClientCrowd
    private var connection: Connection?

    init(_ dialect: any ClientDialect, of crowd: ClientCrowd) {
        self.dialect = dialect
        self.crowd = crowd
    }

    func opened(_ connection: Connection) {
        self.connection = connection
        write { dialect.begin(into: &$0) }
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        crowd.receivedBytes += bytes.count
        do throws(BenchFailure) {
            var output: [UInt8] = []
            let progress = try dialect.receive(bytes, into: &output)
            if !output.isEmpty { connection.write(output) }
            crowd.advance(progress)
        } catch {
            crowd.fail(error.text)
        }
    }

    func publish(_ body: [UInt8]) {
        write { dialect.publish(body, into: &$0) }
    }

    func send(_ name: String, bytes: Int) {
        write { dialect.send(name, bytes: bytes, into: &$0) }
    }

    private func write(_ append: (inout [UInt8]) -> Void) {
        var output: [UInt8] = []
        append(&output)
        connection?.write(output)
    }

    func closed(_ connection: Connection, reason: CloseReason) {
        self.connection = nil
        crowd.fail("A connection ended: \(reason)")
    }

    func end() {
        connection?.abort()
    }
}
