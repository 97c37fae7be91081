/// Which passwords are taken. Length is what counts: NIST SP 800-63B §5.1.1 advises against rules on letters and digits.
public enum PasswordRules {
    public static let minimumCharacters = 12
    /// So that nobody makes the server hash a book.
    public static let maximumBytes = 1024

    /// What is wrong with a password, as a sentence; `nil` when nothing is.
    public static func fault(in password: String, of name: UserName) -> String? {
        if password.utf8.count > maximumBytes { return "The password is longer than \(maximumBytes) bytes." }
        if password.count < minimumCharacters {
            return "The password needs at least \(minimumCharacters) characters."
        }
        if password.lowercased() == name.text { return "The password must not be the name." }
        if let first = password.first, password.allSatisfy({ $0 == first }) {
            return "The password must not be one character repeated."
        }
        return nil
    }
}
