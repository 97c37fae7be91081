public import PushModel

/// Targets from the text of a request.
extension SendTarget {
    public static func fid(parsing text: String) throws(SendError) -> SendTarget {
        guard let fid = FirebaseInstallationID(text) else { throw .malformedInstallationID }
        return .fid(fid)
    }

    /// - Parameter text: The bare name; `/topics/` before it is refused with the other characters that no name has.
    public static func topic(parsing text: String, field: String) throws(SendError) -> SendTarget {
        guard let name = TopicName(text) else { throw .invalidTopicName(at: field) }
        return .topic(name)
    }

    public static func condition(
        parsing text: String, allowsNegation: Bool, field: String
    ) throws(SendError) -> SendTarget {
        do {
            return .condition(try TopicConditionParser.parse(text, allowsNegation: allowsNegation))
        } catch {
            switch error {
            case .tooManyTopics: throw .tooManyConditionTopics(at: field)
            case .syntax: throw .invalidCondition(at: field)
            }
        }
    }
}
