public import JSON
public import PushCore
public import PushModel
public import Timekeeping

/// What people do with campaigns: the rules of their life.
public struct CampaignService: Sendable {
    let store: any CampaignStore & AudienceStore
    let sending: any CampaignSending
    let zones: any TimeZones
    let clock: any WallClock
    let rendering: CampaignRendering
    let changed: @Sendable () -> Void

    /// - Parameter changed: Hears that a campaign may be due earlier than before: `CampaignRunner.wake`.
    public init(
        store: any CampaignStore & AudienceStore, sending: any CampaignSending, zones: any TimeZones,
        clock: any WallClock, validator: MessageValidator, changed: @escaping @Sendable () -> Void
    ) {
        self.store = store
        self.sending = sending
        self.zones = zones
        self.clock = clock
        self.changed = changed
        rendering = CampaignRendering(validator: validator)
    }

    // MARK: Reading

    public func campaign(_ id: CampaignID, in project: ProjectNumber) throws(CampaignError) -> Campaign {
        guard let campaign = try asking({ () throws(StoreError) in try store.campaign(id, in: project) }) else {
            throw .notFound
        }
        return campaign
    }

    public func campaigns(
        of project: ProjectNumber, in state: Campaign.State?, before id: CampaignID?, limit: Int
    ) throws(CampaignError) -> [Campaign] {
        try asking { () throws(StoreError) in
            try store.campaigns(of: project, in: state, before: id, limit: limit)
        }
    }

    public func counts(of campaign: Campaign) throws(CampaignError) -> CampaignCounts {
        try asking { () throws(StoreError) in try store.counts(of: campaign.id) }
    }

    public func runs(of campaign: Campaign, before number: Int64?, limit: Int) throws(CampaignError) -> [CampaignRun] {
        try asking { () throws(StoreError) in try store.runs(of: campaign.id, before: number, limit: limit) }
    }

    // MARK: Composing

    /// Reads what was composed.
    /// - Throws: `invalid` with everything that is wrong. What is missing is not wrong yet.
    public static func content(_ json: JSONObject) throws(CampaignError) -> CampaignContent {
        var reader = CampaignReader()
        let content = reader.content(json)
        guard reader.violations.isEmpty else { throw .invalid(reader.violations) }
        return content
    }

    public func create(
        _ content: CampaignContent, by author: String, in project: ProjectNumber
    ) async throws(CampaignError) -> Campaign {
        let now = clock.now()
        let campaign = Campaign(
            id: CampaignID(value: 0), project: project, content: content, createdAt: now, createdBy: author,
            updatedAt: now)
        do { return try await store.addCampaign(campaign) } catch { throw .store(error) }
    }

    /// - Parameter revision: The one that was edited.
    public func edit(
        _ id: CampaignID, as content: CampaignContent, revision: Int64, in project: Project
    ) async throws(CampaignError) -> Campaign {
        var campaign = try campaign(id, in: project.number)
        guard campaign.revision == revision else { throw .changedMeanwhile }
        switch campaign.state {
        case .draft, .scheduled, .running, .paused: break
        case .completed, .cancelled, .failed:
            throw .conflict("The campaign is over. Duplicate it, and edit the copy.")
        }
        campaign.content = content
        campaign.revision += 1
        if campaign.state != .draft { try plan(&campaign, in: project) }
        return try await replace(campaign)
    }

    public func delete(_ id: CampaignID, in project: ProjectNumber) async throws(CampaignError) {
        let campaign = try campaign(id, in: project)
        guard !campaign.isActive else { throw .conflict("Cancel the campaign before you delete it.") }
        do {
            guard try await store.deleteCampaign(id, in: project) else { throw CampaignError.notFound }
        } catch let error as CampaignError {
            throw error
        } catch {
            throw .store(.unavailable("\(error)"))
        }
    }

    /// A draft with the same content.
    public func duplicate(
        _ id: CampaignID, by author: String, in project: ProjectNumber
    ) async throws(CampaignError) -> Campaign {
        var content = try campaign(id, in: project).content
        let suffix = " (copy)"
        if content.name.utf8.count + suffix.utf8.count <= CampaignLimits.nameBytes { content.name += suffix }
        return try await create(content, by: author, in: project)
    }

    // MARK: Life

    public func publish(_ id: CampaignID, in project: Project) async throws(CampaignError) -> Campaign {
        var campaign = try campaign(id, in: project.number)
        guard campaign.state == .draft else {
            throw .conflict("Only a draft can be published; this campaign is \(campaign.state.rawValue).")
        }
        campaign.publishedAt = clock.now()
        try plan(&campaign, in: project)
        campaign.state = .scheduled
        return try await replace(campaign)
    }

    public func pause(_ id: CampaignID, in project: ProjectNumber) async throws(CampaignError) -> Campaign {
        var campaign = try campaign(id, in: project)
        guard campaign.isActive else {
            throw .conflict(
                "Only a scheduled or running campaign can be paused; this one is \(campaign.state.rawValue).")
        }
        campaign.state = .paused
        campaign.stateReason = ""
        return try await replace(campaign)
    }

    /// What fell due meanwhile is treated like what was missed while the service was down.
    public func resume(_ id: CampaignID, in project: ProjectNumber) async throws(CampaignError) -> Campaign {
        var campaign = try campaign(id, in: project)
        guard campaign.state == .paused else {
            throw .conflict("Only a paused campaign can be resumed; this one is \(campaign.state.rawValue).")
        }
        campaign.state = campaign.next == nil ? .completed : campaign.runs > 0 ? .running : .scheduled
        campaign.stateReason = ""
        return try await replace(campaign)
    }

    /// What was accepted already goes on; nothing more is sent.
    public func cancel(_ id: CampaignID, in project: ProjectNumber) async throws(CampaignError) -> Campaign {
        var campaign = try campaign(id, in: project)
        guard campaign.isActive || campaign.state == .paused else {
            throw .conflict("There is nothing to cancel: this campaign is \(campaign.state.rawValue).")
        }
        campaign.state = .cancelled
        campaign.stateReason = ""
        campaign.next = nil
        return try await replace(campaign)
    }

    private func replace(_ campaign: Campaign) async throws(CampaignError) -> Campaign {
        var campaign = campaign
        campaign.updatedAt = clock.now()
        let stored: Campaign?
        do { stored = try await store.replaceCampaign(campaign) } catch { throw .store(error) }
        guard let stored else { throw .changedMeanwhile }
        changed()
        return stored
    }

    func asking<Value>(_ question: () throws(StoreError) -> Value) throws(CampaignError) -> Value {
        do { return try question() } catch { throw .store(error) }
    }
}

extension CampaignError {
    static let changedMeanwhile = CampaignError.conflict(
        "Somebody else changed the campaign. Read it again, and repeat your change.")
}
