import Glibc
import JSON

/// Lines that a running load prints: the standard output of C would keep them until its end.
enum BenchOutput {
    static func write(_ object: JSONObject) {
        let line = object.encoded + [UInt8(ascii: "\n")]
        line.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Glibc.write(1, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
                guard count > 0 else { return }
                sent += count
            }
        }
    }
}
