import Glibc

// Accepts messages into the data directory of the first argument until it is killed, and prints the delivery id of
// each one after the store has said that it is durable.
guard let path = CommandLine.arguments.dropFirst().first else {
    _ = "usage: store-crash-probe DATA-DIRECTORY\n".withCString { write(2, $0, strlen($0)) }
    exit(2)
}
try await CrashProbe(dataDirectory: path).run()
