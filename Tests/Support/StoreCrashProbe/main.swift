import Glibc

// Works on the data directory of the first argument until it is killed, and prints a line after each answer of the
// store: `queue` accepts messages and prints their delivery ids, `inbox` is devices on the device channel.
let words = CommandLine.arguments.dropFirst()
guard let path = words.first else {
    _ = "usage: store-crash-probe DATA-DIRECTORY [queue | inbox]\n".withCString { write(2, $0, strlen($0)) }
    exit(2)
}
if words.dropFirst().first == "inbox" {
    try await InboxProbe(dataDirectory: path).run()
} else {
    try await CrashProbe(dataDirectory: path).run()
}
