import PushCore
public import PushModel
import Timekeeping

/// Whether a campaign can go out, and when.
extension CampaignService {
    /// Checks a campaign that is to go out and finds its next time.
    func plan(_ campaign: inout Campaign, in project: Project) throws(CampaignError) {
        let now = clock.now()
        let publishedAt = campaign.publishedAt ?? now
        var violations = missing(in: campaign.content)
        var next: Occurrence?
        if let schedule = campaign.content.schedule {
            if let occurrences = try occurrences(schedule, publishedAt: publishedAt, in: project.number) {
                let isFirst = campaign.state == .draft
                next = isFirst ? occurrences.first() : laterOccurrence(occurrences, of: campaign, now: now)
                if next == nil { violations.append(.nothingToCome) }
            } else {
                violations.append(.unknownZone)
            }
        }
        if let next {
            violations +=
                rendering.preview(
                    campaign.content, id: campaign.id, due: next, now: now, in: project
                ).violations
        }
        guard violations.isEmpty else { throw .invalid(violations) }
        campaign.next = next
    }

    /// A campaign that waits to be sent at once keeps doing so; else what has passed stays past.
    private func laterOccurrence(_ occurrences: Occurrences, of campaign: Campaign, now: Timestamp) -> Occurrence? {
        guard case .now = occurrences.schedule.repetition else { return occurrences.next(after: now) }
        return campaign.runs == 0 ? occurrences.first() : nil
    }

    func occurrences(
        _ schedule: Schedule, publishedAt: Timestamp, in project: ProjectNumber
    ) throws(CampaignError) -> Occurrences? {
        let known =
            schedule.zone == .recipient
            ? try asking { () throws(StoreError) in try store.timeZones(of: project) } : []
        return Occurrences(schedule, publishedAt: publishedAt, zones: zones, recipientZones: known)
    }

    private func missing(in content: CampaignContent) -> [SendError.Violation] {
        var violations: [SendError.Violation] = []
        if content.body == nil { violations.append(.init(field: "notification.body", description: "Give a text.")) }
        if content.target == nil {
            violations.append(
                .init(field: "target", description: "Choose a segment, a topic, a condition or a device."))
        }
        if content.schedule == nil { violations.append(.init(field: "schedule", description: "Choose when to send.")) }
        if content.schedule?.zone == .recipient {
            switch content.target {
            case .topic, .condition:
                violations.append(
                    .init(
                        field: "schedule.timeZone",
                        description: "The recipients' time zones need a segment or a device as the target."))
            case .segment, .device, nil: break
            }
        }
        return violations
    }

    // MARK: Looking ahead

    /// What the campaign will look like and when it will be sent; drafts included.
    ///
    /// - Returns: The rendered message and the next five times.
    public func preview(
        _ content: CampaignContent, in project: Project
    ) throws(CampaignError) -> (preview: CampaignPreview, occurrences: [Occurrence]) {
        let now = clock.now()
        var coming: [Occurrence] = []
        var violations = missing(in: content)
        if let schedule = content.schedule {
            if let occurrences = try occurrences(schedule, publishedAt: now, in: project.number) {
                if let first = occurrences.first() {
                    coming = [first]
                    if schedule.repetition != .now { coming += occurrences.following(first.at, count: 4) }
                } else {
                    violations.append(.nothingToCome)
                }
            } else {
                violations.append(.unknownZone)
            }
        }
        let due = coming.first ?? Occurrence(at: now, local: ZoneRules.utc.local(now), audience: .everyone)
        var preview = rendering.preview(
            content, id: CampaignID(value: 1), due: due, now: max(now, due.at), in: project)
        preview.violations = violations + preview.violations
        return (preview, coming)
    }

    /// How many would get it now.
    public func estimate(_ target: CampaignTarget, in project: ProjectNumber) throws(CampaignError) -> Audience {
        let now = clock.now()
        switch target {
        case .segment(let segment):
            return try asking { () throws(StoreError) in try store.audience(of: segment.resolved(at: now), in: project)
            }
        case .topic(let topic):
            let members = try asking { () throws(StoreError) in try store.memberCount(of: topic, in: project) }
            return Audience(devices: members, registrations: members, isExact: true)
        case .condition(let condition):
            // At most all members of all topics.
            var members = 0
            for topic in condition.topics {
                members += try asking { () throws(StoreError) in try store.memberCount(of: topic, in: project) }
            }
            return Audience(devices: members, registrations: members, isExact: false)
        case .device(let text):
            let isThere = (try? sending.registration(named: text.trimmed, in: project)) != nil
            return Audience(devices: isThere ? 1 : 0, registrations: isThere ? 1 : 0, isExact: true)
        }
    }
}

extension SendError.Violation {
    fileprivate static let nothingToCome = Self(
        field: "schedule", description: "The schedule has no time that is still to come. Choose a later one.")
    fileprivate static let unknownZone = Self(
        field: "schedule.timeZone",
        description: "This machine knows no such time zone. Check the name; the zones come from the package tzdata.")
}
