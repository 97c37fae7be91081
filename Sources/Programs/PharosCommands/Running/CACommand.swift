import Timekeeping

extension Command {
    /// `pharos ca`
    static let ca = Command(
        "ca", "Prints the certificate of the local CA, for clients to trust.", options: [.dataDirectory],
        discussion: "The CA is made at the first use. Its certificate is also in ca.pem of the data directory."
    ) { (arguments) async throws(CommandFailure) in
        let directory = try arguments.required("data-dir")
        try PrivateFile.makeDirectory(directory)
        let authority = try LocalAuthority(dataDirectory: directory, now: SystemClock().now())
        StandardStreams.printLine(authority.certificatePEM)
    }
}
