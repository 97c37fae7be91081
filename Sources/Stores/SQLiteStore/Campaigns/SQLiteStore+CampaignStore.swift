public import Campaigns
public import PushCore
public import PushModel
public import Timekeeping

extension SQLiteStore: CampaignStore {
    public func addCampaign(_ campaign: Campaign) async throws(StoreError) -> Campaign {
        try await writer.write { (context) throws(StoreError) in try context.addCampaign(campaign) }
    }

    public func replaceCampaign(_ campaign: Campaign) async throws(StoreError) -> Campaign? {
        try await writer.write { (context) throws(StoreError) in try context.replaceCampaign(campaign) }
    }

    public func deleteCampaign(_ id: CampaignID, in project: ProjectNumber) async throws(StoreError) -> Bool {
        try await writer.write { (context) throws(StoreError) in try context.deleteCampaign(id, in: project) }
    }

    public func acceptRun(
        _ run: CampaignRun, of campaign: Campaign, sending message: ValidatedMessage?
    ) async throws(StoreError) -> Bool {
        let content = message.map { MessageArchive.encode($0.message, target: $0.target) } ?? []
        return try await writer.write { (context) throws(StoreError) in
            try context.acceptRun(run, of: campaign, message: message, content: content)
        }
    }

    public func campaign(_ id: CampaignID, in project: ProjectNumber) throws(StoreError) -> Campaign? {
        try readers.read { (connection) throws(StoreError) in
            try connection.first(
                """
                SELECT id, project, revision, version, state, state_reason, content, created_at, created_by,
                    updated_at, published_at, next_run_at, next_local, next_audience, last_run_at, runs
                FROM campaigns WHERE id = ? AND project = ?
                """, id.value, project.value, read: CampaignRow.read)
        }
    }

    public func campaigns(
        of project: ProjectNumber, in state: Campaign.State?, before id: CampaignID?, limit: Int
    ) throws(StoreError) -> [Campaign] {
        try readers.read { (connection) throws(StoreError) in
            try connection.all(
                """
                SELECT id, project, revision, version, state, state_reason, content, created_at, created_by,
                    updated_at, published_at, next_run_at, next_local, next_audience, last_run_at, runs
                FROM campaigns WHERE project = ?1 AND id < ?2 AND (?3 IS NULL OR state = ?3) ORDER BY id DESC LIMIT ?4
                """, project.value, id?.value ?? .max, state?.rawValue, limit, read: CampaignRow.read)
        }
    }

    public func dueCampaigns(at time: Timestamp, limit: Int) throws(StoreError) -> [Campaign] {
        try readers.read { (connection) throws(StoreError) in
            try connection.all(
                """
                SELECT id, project, revision, version, state, state_reason, content, created_at, created_by,
                    updated_at, published_at, next_run_at, next_local, next_audience, last_run_at, runs
                FROM campaigns
                WHERE state IN ('SCHEDULED', 'RUNNING') AND next_run_at IS NOT NULL AND next_run_at <= ?
                ORDER BY next_run_at LIMIT ?
                """, time.milliseconds, limit, read: CampaignRow.read)
        }
    }

    public func nextCampaignDue() throws(StoreError) -> Timestamp? {
        try readers.read { (connection) throws(StoreError) in
            try connection.first(
                """
                SELECT next_run_at FROM campaigns
                WHERE state IN ('SCHEDULED', 'RUNNING') AND next_run_at IS NOT NULL ORDER BY next_run_at LIMIT 1
                """
            ) { Timestamp(milliseconds: $0.integer(0)) }
        }
    }

    public func runs(of id: CampaignID, before number: Int64?, limit: Int) throws(StoreError) -> [CampaignRun] {
        try readers.read { (connection) throws(StoreError) in
            try connection.all(
                """
                SELECT r.number, r.due_at, r.due_local, r.due_audience, r.ran_at, r.result, r.missed, r.message,
                    r.reason, ifnull(f.members, r.targeted), ifnull(f.accepted, r.accepted),
                    ifnull(f.failed, r.failed), ifnull(f.expired, r.expired), f.is_split = 0
                FROM campaign_runs r LEFT JOIN fan_outs f ON f.message = r.message
                WHERE r.campaign = ? AND r.number < ? ORDER BY r.number DESC LIMIT ?
                """, id.value, number ?? .max, limit
            ) { (row) throws(StoreError) in
                guard let result = CampaignRun.Result(rawValue: row.text(5)) else { throw .damaged("a campaign's run") }
                return CampaignRun(
                    number: row.integer(0), due: CampaignRow.occurrence(row, from: 1),
                    ranAt: Timestamp(milliseconds: row.integer(4)), result: result, missed: row.integer(6),
                    message: row.isNull(7) ? nil : MessageID(value: row.integer(7)), reason: row.text(8),
                    counts: CampaignCounts(
                        targeted: row.integer(9), sent: row.integer(10), failed: row.integer(11),
                        expired: row.integer(12), isSplitting: row.integer(13) != 0))
            }
        }
    }

    public func counts(of id: CampaignID) throws(StoreError) -> CampaignCounts {
        try readers.read { (connection) throws(StoreError) in
            let counts = try connection.first(
                """
                SELECT sum(ifnull(f.members, r.targeted)), sum(ifnull(f.accepted, r.accepted)),
                    sum(ifnull(f.failed, r.failed)), sum(ifnull(f.expired, r.expired)), max(f.is_split = 0),
                    max(r.project)
                FROM campaign_runs r LEFT JOIN fan_outs f ON f.message = r.message WHERE r.campaign = ?
                """, id.value
            ) { row in
                (
                    project: row.integer(5),
                    counts: CampaignCounts(
                        targeted: row.integer(0), sent: row.integer(1), failed: row.integer(2),
                        expired: row.integer(3), isSplitting: row.integer(4) != 0)
                )
            }
            guard var counted = counts else { return CampaignCounts() }
            counted.counts.opened = try connection.integer(
                "SELECT count(*) FROM reported_events WHERE project = ? AND campaign = ? AND kind = ?",
                counted.project, id.value, ReportedEvent.Kind.opened.rawValue)
            return counted.counts
        }
    }
}
