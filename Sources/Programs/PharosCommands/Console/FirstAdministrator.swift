import Accounts
import Bytes
import Crypto

/// The administrator that the first start of `pharos serve` makes.
enum FirstAdministrator {
    /// Prints a password for one sign-in to standard error when there was nobody.
    static func make(_ accounts: Accounts) async throws(CommandFailure) {
        do throws(AccountError) {
            let password = Accounts.freshPassword { SecureRandom.bytes($0) }
            guard let user = try await accounts.makeFirstAdministrator(mustChangePassword: true, password: { password })
            else { return }
            StandardStreams.printError(
                """
                The console has an administrator now. Sign in once with this, and choose a password of your own:
                  name      \(user.name)
                  password  \(password.reveal())
                It is not shown again; pharos user password \(user.name) gives another one.
                """)
        } catch {
            throw .account(error)
        }
    }
}
