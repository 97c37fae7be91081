import CLinux
import Glibc
import TLSRecordWire

/// Our own records on the socket, after a handshake of the library's.
final class RecordEngine: TLSEngine {
    private let layer: TLSRecordLayer
    private let ciphers: RecordCiphers
    private let descriptor: Int32
    private var isSocketDrained = false
    /// Nothing is read any more, and this is why.
    private var end: ChannelRead?
    /// The peer broke off or is told that it broke the rules: it gets no goodbye.
    private var isBroken = false
    /// The beginning of a record whose rest has not come.
    private var partial: [UInt8] = []
    /// Records that the socket has not taken. They are never sealed again.
    private var unsent: [UInt8] = []
    /// Bytes of content in `unsent` that `write` has not counted yet.
    private var unsentContent = 0

    init(_ layer: TLSRecordLayer, ciphers: RecordCiphers, descriptor: Int32) {
        self.layer = layer
        self.ciphers = ciphers
        self.descriptor = descriptor
    }

    // MARK: Reading

    var holdsAllInput: Bool { isSocketDrained && end == nil }

    /// Gives the content of all records that one look at the socket brings.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> ChannelRead {
        while end == nil {
            let input = UnsafeMutableRawBufferPointer(rebasing: ciphers.input.prefix(buffer.count))
            input.copyBytes(from: partial)
            let wanted = input.count - partial.count
            let count = pharos_receive(descriptor, input.baseAddress.map { $0 + partial.count }, wanted)
            isSocketDrained = count < wanted
            guard count > 0 else { return noteEnd(ofSocket: count) }
            let received = partial.count + count
            let produced = take(UnsafeRawBufferPointer(rebasing: input[..<received]), into: buffer)
            if produced > 0 { return .bytes(produced) }
        }
        return end ?? .blocked
    }

    private func noteEnd(ofSocket count: Int) -> ChannelRead {
        if count == -Int(EAGAIN) { return .blocked }
        isBroken = true
        let end = count == 0 ? ChannelRead.end(truncated: true) : .failed(.reset(code: Int32(clamping: -count)))
        self.end = end
        return end
    }

    /// - Returns: How many bytes of content there are.
    private func take(_ bytes: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let received = layer.receive(bytes, into: buffer, with: ciphers)
        let rest = bytes[received.consumed...]
        if rest.isEmpty { if !partial.isEmpty { partial = [] } } else { partial = Array(rest) }
        if !received.answers.isEmpty { send(record: received.answers) }
        if let end = received.end { note(end) }
        return received.produced
    }

    private func note(_ end: TLSRecordLayer.End) {
        switch end {
        case .closed: self.end = .end(truncated: false)
        case .peerAlert(let number): fail("the peer sent the alert \(number)")
        case .violation(let alert):
            send(record: layer.alert(alert, with: ciphers))
            fail("\(alert)")
        }
        partial = []
    }

    private func fail(_ detail: String) {
        isBroken = true
        end = .failed(.tlsFailed(detail: detail))
    }

    // MARK: Writing

    func write(_ bytes: UnsafeRawBufferPointer) -> ChannelWrite {
        if !unsent.isEmpty {
            if let failure = sendUnsent() { return failure }
        }
        if unsentContent > 0 {
            // What was promised is a beginning of what is written now: see `TLSEngine.write`.
            defer { unsentContent = 0 }
            return .bytes(min(unsentContent, bytes.count))
        }
        if layer.needsNewWritingKey {
            guard let record = try? layer.renewWritingKey(with: ciphers) else { return cannotSeal }
            send(record: record)
        }
        return sendContent(UnsafeRawBufferPointer(rebasing: bytes.prefix(TLSRecordLayer.maximumContentBytes)))
    }

    private var cannotSeal: ChannelWrite { .failed(.tlsFailed(detail: "a record could not be sealed")) }

    private func sendContent(_ content: UnsafeRawBufferPointer) -> ChannelWrite {
        guard let count = try? layer.seal(content, with: ciphers, into: ciphers.output) else { return cannotSeal }
        let record = UnsafeRawBufferPointer(rebasing: ciphers.output[..<count])
        let sent = unsent.isEmpty ? pharos_send(descriptor, record.baseAddress, count) : 0
        if sent == count { return .bytes(content.count) }
        guard sent >= 0 || sent == -Int(EAGAIN) else { return .failed(.reset(code: Int32(clamping: -sent))) }
        unsent += record[max(0, sent)...]
        unsentContent = content.count
        return .blocked
    }

    /// - Returns: `nil` when the socket took everything.
    private func sendUnsent() -> ChannelWrite? {
        let sent = unsent.withUnsafeBytes { pharos_send(descriptor, $0.baseAddress, $0.count) }
        if sent == unsent.count {
            unsent = []
            return nil
        }
        guard sent >= 0 || sent == -Int(EAGAIN) else { return .failed(.reset(code: Int32(clamping: -sent))) }
        unsent.removeFirst(max(0, sent))
        return .blocked
    }

    /// Sends a record without content now, or before what is written next.
    private func send(record: [UInt8]) {
        unsent += record
        _ = sendUnsent()
    }

    func close() {
        guard !isBroken, unsent.isEmpty else { return }
        send(record: layer.alert(.closeNotify, with: ciphers))
        isBroken = true
    }
}
