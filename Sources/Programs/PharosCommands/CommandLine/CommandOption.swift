/// One option of a command: `--name VALUE` or the flag `--name`.
public struct CommandOption: Sendable {
    /// Without the dashes: `data-dir`. The variable `PHAROS_DATA_DIR` gives its value when the command line does not.
    public var name: String
    /// What stands for the value in the help; `nil` for a flag.
    public var placeholder: String?
    public var help: String
    public var defaultValue: String?
    /// Whether the option may be given more than once.
    public var isRepeatable: Bool

    /// An option with a value.
    public static func value(
        _ name: String, _ placeholder: String, _ help: String, default defaultValue: String? = nil,
        repeatable: Bool = false
    ) -> CommandOption {
        CommandOption(
            name: name, placeholder: placeholder, help: help, defaultValue: defaultValue, isRepeatable: repeatable)
    }

    /// An option without a value.
    public static func flag(_ name: String, _ help: String) -> CommandOption {
        CommandOption(name: name, placeholder: nil, help: help, defaultValue: nil, isRepeatable: false)
    }

    /// The variable that stands in for the option: `PHAROS_` and the name in upper case.
    var environmentVariable: String {
        "PHAROS_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// The options that every command has.
    static let common: [CommandOption] = [
        .flag("json", "Print JSON for machines instead of text for people."),
        .flag("help", "Show this help and exit."),
    ]

    /// Where the service keeps everything.
    public static let dataDirectory = CommandOption.value(
        "data-dir", "DIR", "The directory of the store and the keys.", default: "./pharos-data")
}
