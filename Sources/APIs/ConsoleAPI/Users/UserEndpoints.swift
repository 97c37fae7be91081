public import Accounts
import Bytes
import GoogleAPI
import JSON
public import PushCore
import PushModel

/// Users and their roles.
public struct UserEndpoints: Sendable {
    let accounts: Accounts
    let directory: any ProjectDirectory
    let documents: UserDocuments

    public init(accounts: Accounts, directory: any ProjectDirectory) {
        self.accounts = accounts
        self.directory = directory
        documents = UserDocuments(directory: directory)
    }

    public var part: ConsolePart {
        ConsolePart("Users", endpoints: [], schemas: ["User": UserDocuments.schema])
    }
}
