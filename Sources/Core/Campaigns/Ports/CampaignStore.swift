public import PushCore
public import PushModel
public import Timekeeping

/// Campaigns and their runs. Reads see every write that has returned; writes are durable when they return.
public protocol CampaignStore: Sendable {
    /// Stores a new campaign; its id is given out by the store.
    func addCampaign(_ campaign: Campaign) async throws(StoreError) -> Campaign

    func campaign(_ id: CampaignID, in project: ProjectNumber) throws(StoreError) -> Campaign?

    /// The next campaigns of a project, newest first.
    /// - Parameters:
    ///   - state: `nil` for those in any state.
    ///   - id: The last one of the page before; `nil` for the first page.
    func campaigns(
        of project: ProjectNumber, in state: Campaign.State?, before id: CampaignID?, limit: Int
    ) throws(StoreError) -> [Campaign]

    /// Writes a campaign back.
    /// - Returns: What is stored, with its next version; `nil` when somebody else changed it since it was read.
    func replaceCampaign(_ campaign: Campaign) async throws(StoreError) -> Campaign?

    /// Deletes a campaign and its runs. `false` when there is none.
    func deleteCampaign(_ id: CampaignID, in project: ProjectNumber) async throws(StoreError) -> Bool

    /// Active campaigns whose time has come, the longest due first.
    func dueCampaigns(at time: Timestamp, limit: Int) throws(StoreError) -> [Campaign]

    /// When the next active campaign is due.
    func nextCampaignDue() throws(StoreError) -> Timestamp?

    /// Writes a campaign back together with a run, and with the message that the run sends: all or nothing.
    /// - Returns: `false` when somebody else changed the campaign since it was read; then nothing is stored.
    func acceptRun(
        _ run: CampaignRun, of campaign: Campaign, sending message: ValidatedMessage?
    ) async throws(StoreError) -> Bool

    /// The runs of a campaign, newest first.
    func runs(of id: CampaignID, before number: Int64?, limit: Int) throws(StoreError) -> [CampaignRun]

    func counts(of id: CampaignID) throws(StoreError) -> CampaignCounts
}

/// What is known of app instances, for segments.
public protocol AudienceStore: Sendable {
    /// How many registrations fit, and on how many app instances they are. Counted when there are few; else reckoned from a
    /// part of them.
    func audience(of segment: Segment, in project: ProjectNumber) throws(StoreError) -> Audience

    /// The time zones that devices of a project told.
    func timeZones(of project: ProjectNumber) throws(StoreError) -> [String]

    /// How many members a topic has.
    func memberCount(of topic: TopicName, in project: ProjectNumber) throws(StoreError) -> Int

    /// Custom properties of an app instance, by name.
    func properties(of registration: Registration) throws(StoreError) -> [String: String]

    /// Sets properties of an app instance; `nil` takes one away.
    /// - Throws: `notFound` for a registration without an app instance, `conflict` when there would be too many.
    func setProperties(_ changes: [String: String?], of registration: Registration) async throws(StoreError)
}

/// How many somebody would reach.
public struct Audience: Sendable, Equatable {
    public var devices: Int
    public var registrations: Int
    public var isExact: Bool

    public init(devices: Int, registrations: Int, isExact: Bool) {
        self.devices = devices
        self.registrations = registrations
        self.isExact = isExact
    }
}

/// Bounds of custom properties.
public enum PropertyLimits {
    public static let perInstance = 100
    public static let nameBytes = 64
    public static let valueBytes = 256
}
