import PushCore
import PushModel
import Timekeeping

/// What happens to one campaign whose time has come.
struct CampaignTurn: Sendable {
    let store: any CampaignStore & AudienceStore
    let directory: any ProjectDirectory
    let sending: any CampaignSending
    let zones: any TimeZones
    let clock: any WallClock

    /// - Returns: `false` when it has to be tried again later.
    func take(_ campaign: Campaign) async throws(StoreError) -> Bool {
        let now = clock.now()
        guard let schedule = campaign.content.schedule, let publishedAt = campaign.publishedAt, let due = campaign.next
        else { return try await fail(campaign, "The campaign has no schedule. Edit it and publish it again.") }
        let recipientZones = schedule.zone == .recipient ? try store.timeZones(of: campaign.project) : []
        guard
            let occurrences = Occurrences(
                schedule, publishedAt: publishedAt, zones: zones, recipientZones: recipientZones)
        else { return try await pause(campaign) }
        let plan = RunPlan(campaign: campaign, due: due, occurrences: occurrences, now: now)
        return try await carryOut(plan, of: campaign, at: now)
    }

    private func carryOut(_ plan: RunPlan, of campaign: Campaign, at now: Timestamp) async throws(StoreError) -> Bool {
        guard let project = directory.project(number: campaign.project) else {
            return try await fail(campaign, "The project is gone.")
        }
        var campaign = campaign
        campaign.next = plan.next
        campaign.runs += 1
        campaign.state = plan.next == nil ? .completed : .running
        var run = CampaignRun(
            number: campaign.runs, due: plan.due, ranAt: now, result: .accepted, missed: plan.missed)
        guard plan.sends else {
            run.result = .skipped
            run.reason = "Nobody could send at that time, and the schedule says to leave out what was missed."
            _ = try await store.acceptRun(run, of: campaign, sending: nil)
            return true
        }
        campaign.lastRunAt = now
        do throws(SendError) {
            let request = try request(of: campaign, at: plan.due, in: project, now: now)
            let message = try sending.prepare(request, in: project)
            return try await commit(run, of: campaign, sending: message)
        } catch {
            if error.kind == .unavailable || error.kind == .projectQuotaExceeded { return false }
            run.result = .failed
            run.reason = error.message
            campaign.state = .failed
            campaign.stateReason = error.message
            campaign.next = nil
            return try await record(run, of: campaign)
        }
    }

    /// Typed throws of two kinds do not mix: the store's failure means to try again.
    private func commit(
        _ run: CampaignRun, of campaign: Campaign, sending message: ValidatedMessage
    ) async throws(SendError) -> Bool {
        var run = run
        run.message = message.id
        do {
            guard try await store.acceptRun(run, of: campaign, sending: message) else {
                sending.giveUp(message)
                return true
            }
        } catch {
            sending.giveUp(message)
            throw .unavailable
        }
        sending.begin(message)
        return true
    }

    private func record(_ run: CampaignRun, of campaign: Campaign) async throws(StoreError) -> Bool {
        _ = try await store.acceptRun(run, of: campaign, sending: nil)
        return true
    }

    private func request(
        of campaign: Campaign, at due: Occurrence, in project: Project, now: Timestamp
    ) throws(SendError) -> SendRequest {
        let message = CampaignMessage(campaign.content, id: campaign.id, due: due, now: now)
        let target: SendTarget
        switch campaign.content.target {
        case .topic(let topic): target = .topic(topic)
        case .condition(let condition): target = .condition(condition)
        case .segment(let segment): target = .segment(message.narrowed(segment))
        case .device(let text):
            let registration = try sending.registration(named: text, in: project.number)
            target = .segment(message.narrowed(Segment([.registration(registration.id)])))
        case nil: throw .recipientMissing
        }
        return message.request(to: target, in: project.id)
    }

    private func fail(_ campaign: Campaign, _ reason: String) async throws(StoreError) -> Bool {
        var campaign = campaign
        campaign.state = .failed
        campaign.stateReason = reason
        campaign.next = nil
        _ = try await store.replaceCampaign(campaign)
        return true
    }

    private func pause(_ campaign: Campaign) async throws(StoreError) -> Bool {
        var campaign = campaign
        campaign.state = .paused
        campaign.stateReason =
            "The time zone of the schedule is not known on this machine. Install tzdata, then resume the campaign."
        _ = try await store.replaceCampaign(campaign)
        return true
    }
}
