import Accounts
import Bytes
import Crypto
import PushCore

/// The administrator of the emulator's console. The password is in a file of the data directory that only its owner
/// reads, so that the next start can print it again.
enum DemoAdministrator {
    static let name = "admin"

    /// - Returns: The password; `nil` when somebody made users by other means.
    static func make(_ accounts: Accounts, dataDirectory: String) async throws(CommandFailure) -> String? {
        let path = dataDirectory + "/console-password.txt"
        var password = PrivateFile.exists(path) ? String(decoding: try PrivateFile.read(path), as: UTF8.self) : nil
        do throws(AccountError) {
            let chosen = password.map { Secret($0) } ?? Accounts.freshPassword { SecureRandom.bytes($0) }
            let isNew =
                try await accounts.makeFirstAdministrator(
                    named: name, mustChangePassword: false, password: { chosen }) != nil
            if isNew { password = chosen.reveal() }
        } catch {
            throw .account(error)
        }
        if let password { try PrivateFile.write(Array(password.utf8), to: path, mode: 0o600) }
        return password
    }
}

extension CommandFailure {
    /// Why something about users was refused.
    static func account(_ error: AccountError) -> CommandFailure {
        switch error {
        case .store(let error): .store(error)
        case .invalid(_, let text): .usage(text, nextStep: "Choose another one.")
        case .wrongCredentials: .failed("The name or the password is wrong.", nextStep: "See: pharos user list")
        case .tooManyAttempts, .busy: .failed("The server is busy.", nextStep: "Try again.")
        }
    }
}
