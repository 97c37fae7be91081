public import PushCore
public import PushModel

/// The one way of messages, as far as campaigns go it.
public protocol CampaignSending: Sendable {
    /// Validates a request to many, translates it on trial, and charges for it. Nothing is stored.
    func prepare(_ request: SendRequest, in project: Project) throws(SendError) -> ValidatedMessage

    /// Takes back what `prepare` charged for.
    func giveUp(_ message: ValidatedMessage)

    /// Finds the recipients of a message that is in the store.
    func begin(_ message: ValidatedMessage)

    /// Sends to one device and waits a moment for what became of it.
    func send(_ request: SendRequest, in project: Project) async throws(SendError) -> SendReceipt

    /// The live registration that a token or FID names.
    func registration(named text: String, in project: ProjectNumber) throws(SendError) -> Registration
}

/// The pipeline and the fan-out of this process.
public struct PipelineSending: CampaignSending {
    private let pipeline: SendPipeline
    private let fanOut: FanOut
    private let lookup: RegistrationLookup

    public init(pipeline: SendPipeline, fanOut: FanOut, lookup: RegistrationLookup) {
        self.pipeline = pipeline
        self.fanOut = fanOut
        self.lookup = lookup
    }

    public func prepare(_ request: SendRequest, in project: Project) throws(SendError) -> ValidatedMessage {
        try pipeline.prepareFanOut(request, in: project)
    }

    public func giveUp(_ message: ValidatedMessage) { pipeline.giveUpPrepared(message) }

    public func begin(_ message: ValidatedMessage) { fanOut.begin(accepted: message) }

    public func send(_ request: SendRequest, in project: Project) async throws(SendError) -> SendReceipt {
        try await pipeline.send(request, in: project)
    }

    public func registration(named text: String, in project: ProjectNumber) throws(SendError) -> Registration {
        try lookup.registration(token: text, in: project)
    }
}
