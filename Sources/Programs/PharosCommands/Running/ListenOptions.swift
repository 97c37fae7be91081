/// The listener options that `dev` and `serve` share.
enum ListenOptions {
    static let http = CommandOption.value(
        "listen-http", "HOST:PORT", "HTTP/1.1 and h2c; off leaves it out.", default: "127.0.0.1:9599")
    static let https = CommandOption.value(
        "listen-https", "HOST:PORT", "HTTPS with HTTP/1.1 and HTTP/2; off leaves it out.", default: "127.0.0.1:9600")
    static let device = CommandOption.value(
        "listen-device", "HOST:PORT", "The device channel, with TLS; off leaves it out.", default: "127.0.0.1:5228")
    static let xmpp = CommandOption.value(
        "listen-xmpp", "HOST:PORT", "XMPP for app servers, with TLS; off leaves it out.", default: "127.0.0.1:5235")
    static let xmppTesting = CommandOption.value(
        "listen-xmpp-testing", "HOST:PORT", "The same for app servers under test; off leaves it out.",
        default: "127.0.0.1:5236")

    /// Reads one of the options.
    /// - Parameter allowsPublic: Whether an address that other machines reach is meant.
    static func address(
        _ option: String, in arguments: CommandArguments, allowsPublic: Bool
    ) throws(CommandFailure) -> ListenAddress? {
        guard let text = arguments.value(option), let address = try ListenAddress.parse(text, option: option) else {
            return nil
        }
        guard address.isLoopback || allowsPublic else {
            throw .usage(
                "--\(option) \(text) would open the emulator to other machines.",
                nextStep: "Use 127.0.0.1, or add --public if that is what you want.")
        }
        return address
    }
}
