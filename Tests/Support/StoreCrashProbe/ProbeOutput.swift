import Glibc

enum ProbeOutput {
    /// One system call a line, so that no line is lost in a buffer or torn.
    static func print(_ text: String) {
        _ = (text + "\n").withCString { write(1, $0, strlen($0)) }
    }
}
