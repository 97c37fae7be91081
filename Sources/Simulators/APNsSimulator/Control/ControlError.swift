/// What is wrong with a JSON command: the member's path and the problem in words.
public struct ControlError: Error, Sendable, Equatable {
    public var field: String
    public var problem: String

    public init(_ field: String, _ problem: String) {
        self.field = field
        self.problem = problem
    }
}
