public import PushModel

/// For callers that commit the message together with something of their own.
extension SendPipeline {
    /// A message to topics, conditions or segments, checked in every way and charged for, but not stored.
    ///
    /// Store it with `FanOutStore.acceptFanOut`, or as that does, and hand it to `FanOut.begin(accepted:)`; or give it up.
    public func prepareFanOut(_ request: SendRequest, in project: Project) throws(SendError) -> ValidatedMessage {
        try validator.validate(request.message, to: request.target)
        guard request.target.isTopic else { throw .recipientMissing }
        let message = validated(request.message, for: request.target, in: project)
        try checkForAnyone(message)
        try quota?.charge(project.number)
        return message
    }

    /// Takes back what `prepareFanOut` charged for.
    public func giveUpPrepared(_ message: ValidatedMessage) {
        quota?.refund(message.project.number)
    }
}
