/// The words of a command line, sorted into operands and options.
public struct CommandArguments: Sendable, Equatable {
    public private(set) var operands: [String]
    private var values: [String: [String]]
    private var flags: Set<String>
    private let commandName: String

    /// Reads what follows a command's words.
    ///
    /// - Parameter environment: Looks up a variable; options that the words leave out take their value from there.
    public init(
        _ words: some Sequence<String>, of command: Command, environment: (String) -> String?
    ) throws(CommandFailure) {
        operands = []
        values = [:]
        flags = []
        commandName = command.name
        let options = command.options + CommandOption.common
        var iterator = words.makeIterator()
        while let word = iterator.next() {
            guard word.hasPrefix("--"), word.count > 2 else {
                operands.append(word)
                continue
            }
            try take(word, from: options) { iterator.next() }
        }
        for option in options where values[option.name] == nil && !flags.contains(option.name) {
            fill(option, from: environment)
        }
        try checkOperands(of: command)
    }

    private mutating func take(
        _ word: String, from options: [CommandOption], next: () -> String?
    ) throws(CommandFailure) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        guard let option = options.first(where: { $0.name == name }) else {
            throw usage("Unknown option --\(name).")
        }
        guard option.placeholder != nil else {
            guard parts.count == 1 else { throw usage("--\(name) takes no value.") }
            flags.insert(name)
            return
        }
        guard let value = parts.count == 2 ? String(parts[1]) : next() else {
            throw usage("--\(name) needs a value.")
        }
        if values[name] != nil && !option.isRepeatable { throw usage("--\(name) is given twice.") }
        values[name, default: []].append(value)
    }

    private mutating func fill(_ option: CommandOption, from environment: (String) -> String?) {
        let variable = environment(option.environmentVariable)
        if option.placeholder == nil {
            if let variable, ["1", "true", "yes"].contains(variable.lowercased()) { flags.insert(option.name) }
        } else if let value = variable ?? option.defaultValue {
            values[option.name] = [value]
        }
    }

    private func checkOperands(of command: Command) throws(CommandFailure) {
        guard !has("help") else { return }
        let required = command.operands.filter { !$0.hasPrefix("[") }
        if operands.count < required.count { throw usage("Missing \(required[operands.count]).") }
        if operands.count > command.operands.count {
            throw usage("Unexpected word “\(operands[command.operands.count])”.")
        }
    }

    private func usage(_ message: String) -> CommandFailure {
        .usage(message, nextStep: "See: pharos \(commandName) --help")
    }

    /// Whether a flag is set.
    public func has(_ name: String) -> Bool { flags.contains(name) }

    /// Whether the answer should be JSON.
    public var wantsJSON: Bool { has("json") }

    /// The value of an option, or `nil` when neither words, variable nor default give one.
    public func value(_ name: String) -> String? { values[name]?.last }

    /// All values of a repeatable option.
    public func allValues(_ name: String) -> [String] { values[name] ?? [] }

    /// The value of an option that the command cannot do without.
    public func required(_ name: String) throws(CommandFailure) -> String {
        guard let value = value(name), !value.isEmpty else { throw usage("--\(name) is needed.") }
        return value
    }

    /// A whole number within a range, or `nil` when the option is not given.
    public func integer(_ name: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw usage("--\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}
