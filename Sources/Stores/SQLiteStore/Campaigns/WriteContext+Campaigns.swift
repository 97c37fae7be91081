import Campaigns
import JSON
import PushCore
import PushModel
import Timekeeping

extension WriteContext {
    /// Of each campaign: the newest, nearly three years of a daily one.
    static let keptRuns: Int64 = 1_000

    func addCampaign(_ campaign: Campaign) throws(StoreError) -> Campaign {
        try requireProject(campaign.project)
        let id = try connection.first(
            """
            INSERT INTO campaigns (project, revision, version, state, state_reason, content, created_at, created_by,
                updated_at, runs)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0) RETURNING id
            """, campaign.project.value, campaign.revision, campaign.version, campaign.state.rawValue,
            campaign.stateReason, campaign.content.json.encoded, campaign.createdAt.milliseconds, campaign.createdBy,
            campaign.updatedAt.milliseconds
        ) { $0.integer(0) }
        guard let id else { throw .unavailable("The campaign has no row.") }
        var campaign = campaign
        campaign.id = CampaignID(value: id)
        return campaign
    }

    /// - Returns: The new version; `nil` when the campaign is not the one that was read.
    func replaceCampaign(_ campaign: Campaign) throws(StoreError) -> Campaign? {
        let changed = try connection.change(
            """
            UPDATE campaigns SET revision = ?, version = version + 1, state = ?, state_reason = ?, content = ?,
                updated_at = ?, published_at = ?, next_run_at = ?, next_local = ?, next_audience = ?, last_run_at = ?,
                runs = ?
            WHERE id = ? AND project = ? AND version = ?
            """, campaign.revision, campaign.state.rawValue, campaign.stateReason, campaign.content.json.encoded,
            campaign.updatedAt.milliseconds, campaign.publishedAt?.milliseconds, campaign.next?.at.milliseconds,
            campaign.next?.local.secondsSince1970, campaign.next?.audience.stored, campaign.lastRunAt?.milliseconds,
            campaign.runs, campaign.id.value, campaign.project.value, campaign.version)
        guard changed > 0 else { return nil }
        var campaign = campaign
        campaign.version += 1
        return campaign
    }

    func deleteCampaign(_ id: CampaignID, in project: ProjectNumber) throws(StoreError) -> Bool {
        let deleted = try connection.change(
            "DELETE FROM campaigns WHERE id = ? AND project = ?", id.value, project.value)
        guard deleted > 0 else { return false }
        try connection.change("DELETE FROM campaign_runs WHERE campaign = ?", id.value)
        return true
    }

    /// The run, the campaign's next time and the message, or nothing of it.
    func acceptRun(
        _ run: CampaignRun, of campaign: Campaign, message: ValidatedMessage?, content: [UInt8]
    ) throws(StoreError) -> Bool {
        guard try replaceCampaign(campaign) != nil else { return false }
        do {
            try connection.change(
                """
                INSERT INTO campaign_runs (campaign, number, project, due_at, due_local, due_audience, ran_at, result,
                    missed, message, reason)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, campaign.id.value, run.number, campaign.project.value, run.due.at.milliseconds,
                run.due.local.secondsSince1970, run.due.audience.stored, run.ranAt.milliseconds, run.result.rawValue,
                run.missed, message?.id.value, run.reason)
            try connection.change(
                "DELETE FROM campaign_runs WHERE campaign = ? AND number <= ?", campaign.id.value,
                run.number &- Self.keptRuns)
            if let message { try acceptFanOut(message, content: content) }
        } catch {
            // Only undoing the transaction leaves nothing half done.
            throw .unavailable("\(error)")
        }
        return true
    }
}
