internal import COpenSSL

/// The reason that the library left for the last failure on this thread. Empties the queue: TLS on the same thread
/// would take an old reason for its own.
func takeLibraryError() -> CryptoError {
    var text = [CChar](repeating: 0, count: 256)
    ERR_error_string_n(ERR_peek_last_error(), &text, text.count)
    ERR_clear_error()
    return .library(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
}

/// Turns a return code of the library, 1 for success, into an error.
func check(_ code: Int32) throws(CryptoError) {
    guard code == 1 else { throw takeLibraryError() }
}

/// Calls an `i2d_…` function twice: for the length, then for the bytes.
func encodedDER(_ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
    let length = Int(encode(nil))
    guard length > 0 else {
        ERR_clear_error()
        return []
    }
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
        var cursor = buffer.baseAddress
        count = Int(encode(&cursor)) == length ? length : 0
    }
}

/// Calls a `d2i_…` function.
///
/// - Returns: What it made, and whether it used all the bytes.
func decodedDER<Object>(
    _ der: [UInt8], _ decode: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> Object?
) -> (object: Object, isWhole: Bool)? {
    defer { ERR_clear_error() }
    return der.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return nil }
        var cursor: UnsafePointer<UInt8>? = start
        guard let object = decode(&cursor, buffer.count) else { return nil }
        return (object, cursor == start + buffer.count)
    }
}
