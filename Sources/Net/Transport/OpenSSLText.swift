import COpenSSL

enum OpenSSLText {
    /// The oldest error of this thread's queue, in words; empties the queue.
    static func takeError() -> String {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0 else { return "unknown error" }
        guard let reason = ERR_reason_error_string(code) else { return "error \(code)" }
        return String(cString: reason)
    }
}
