import PushCore
import PushModel
import Reports
import Timekeeping

extension WriteContext {
    /// After how long a device that took a message took it late. Unit: milliseconds.
    private static let promptMilliseconds: Int64 = 60_000

    /// Counts the recipients for whom a message is stored.
    func countTargets(
        _ deliveries: [PlannedDelivery], of message: MessageID, in project: ProjectNumber
    ) throws(StoreError) {
        for delivery in deliveries {
            let place = try place(of: message, in: project.value, to: delivery.registration, delivery.dimensions)
            tally.count(.targeted, at: place)
            if delivery.dimensions?.isNotification ?? false { tally.count(.notifications, at: place) }
        }
    }

    /// Counts how a delivery ended.
    func count(_ finished: FinishedDelivery) throws(StoreError) {
        let place = try place(
            of: finished.message, in: finished.project.value, to: finished.registration, finished.dimensions)
        switch finished.outcome {
        case .accepted(let providerID):
            tally.count(.sent, at: place)
            tally.count(.accepted, at: place)
            guard providerID.isEmpty || providerID.hasPrefix("0:") else { return }
            // A device's acknowledgement on its channel is more than APNs' promise.
            tally.count(.received, at: place)
            tally.count(.received, ofMessage: finished.message.value)
            let prompt = Timestamp(milliseconds: finished.message.value / 1000).adding(
                milliseconds: Self.promptMilliseconds)
            if finished.time > prompt { tally.count(.delayed, at: place) }
        case .failed(let error):
            if error.apns != nil { tally.count(.sent, at: place) }
            tally.count(.ended(OutcomeCode(finished.outcome)), at: place)
        case .expired, .superseded, .discarded:
            tally.count(.ended(OutcomeCode(finished.outcome)), at: place)
        }
    }

    /// Where a delivery is counted.
    private func place(
        of message: MessageID, in project: UInt64, to registration: RegistrationID, _ known: ReportDimensions?
    ) throws(StoreError) -> ReportTally.Place {
        guard let known else { return try storedPlace(of: message, in: project, to: registration) }
        if let last = lastPlace, last.holds(for: message, in: project, known) { return last.place }
        let place = ReportTally.Place(
            project: project, day: message.day,
            pacificDay: known.app?.platform == .android ? PacificTime.day(of: message) : nil,
            app: try texts.id(of: known.app?.text ?? "", on: connection),
            label: try texts.id(of: known.label?.text ?? "", on: connection), campaign: known.campaign ?? 0)
        lastPlace = CountedPlace(message: message, dimensions: known, place: place)
        return place
    }

    /// As the rows of message and registration tell.
    private func storedPlace(
        of message: MessageID, in project: UInt64, to registration: RegistrationID
    ) throws(StoreError) -> ReportTally.Place {
        var place = ReportTally.Place(project: project, day: message.day, app: 0, label: 0, campaign: 0)
        let row = try connection.first(
            "SELECT label, campaign FROM messages WHERE id = ?", message.value
        ) { (label: $0.integer(0), campaign: $0.integer(1)) }
        if let row { (place.label, place.campaign) = row }
        let app = try connection.first(
            "SELECT r.app, t.text FROM registrations r JOIN texts t ON t.id = r.app WHERE r.id = ?", registration.value
        ) { (id: $0.integer(0), text: $0.text(1)) }
        guard let app else { return place }
        place.app = app.id
        if AppID(app.text)?.platform == .android { place.pacificDay = PacificTime.day(of: message) }
        return place
    }

    // MARK: Reports of apps

    /// Counts what an app reported for the first time.
    func count(_ event: ReportedEvent, receivedAt time: Timestamp) throws(StoreError) {
        let place = try place(of: event, receivedAt: time)
        let message = try MessageID(event.messageID).flatMap { (id) throws(StoreError) in
            try isKept(id, in: event.project) ? id : nil
        }
        for measure in try measures(of: event) {
            tally.count(measure, at: place)
            if let message { tally.count(measure, ofMessage: message.value) }
        }
    }

    /// Reports prove nothing: what is counted of a message goes with it, and only its own project's apps count.
    private func isKept(_ message: MessageID, in project: ProjectNumber) throws(StoreError) -> Bool {
        try connection.integer(
            "SELECT EXISTS (SELECT 1 FROM messages WHERE id = ? AND project = ?)", message.value, project.value) != 0
    }

    private func measures(of event: ReportedEvent) throws(StoreError) -> [ReportMeasure] {
        switch event.kind {
        case .opened: return [.opened]
        case .dismissed: return [.dismissed]
        case .delivered, .receivedInForeground:
            let other = event.kind == .delivered ? ReportedEvent.Kind.receivedInForeground : .delivered
            let isRepeated =
                try connection.integer(
                    "SELECT count(*) FROM reported_events WHERE project = ? AND message = ? AND instance = ? AND kind = ?",
                    event.project.value, event.messageID, event.instanceID, other.rawValue) > 0
            let isDisplayed = event.kind == .delivered && event.messageType == .display
            // Of an Android app the acknowledgement on its channel is counted already.
            let isNew = !isRepeated && event.platform != .android
            return (isNew ? [.received] : []) + (isDisplayed ? [.displayed] : [])
        }
    }

    private func place(of event: ReportedEvent, receivedAt time: Timestamp) throws(StoreError) -> ReportTally.Place {
        let sentAt = MessageID(event.messageID).map { Timestamp(milliseconds: $0.value / 1000) }
        let earliest = time.adding(milliseconds: -Self.reportRetentionMilliseconds)
        // A message id from outside may be anything.
        let day = sentAt.flatMap { $0 <= time && $0 > earliest ? $0 : nil } ?? time
        let app = try connection.first(
            """
            SELECT r.app FROM instances i JOIN registrations r ON r.instance = i.serial
            WHERE i.fid = ? AND i.project = ? AND r.app <> 0 ORDER BY r.ending IS NULL DESC, r.id DESC LIMIT 1
            """, InstanceName(event.instanceID), event.project.value
        ) { $0.integer(0) }
        return ReportTally.Place(
            project: event.project.value, day: day.seconds / 86_400, pacificDay: nil, app: app ?? 0,
            label: try texts.knownID(of: event.analyticsLabel ?? "", on: connection) ?? 0,
            campaign: try knownCampaign(of: event))
    }

    /// Reports prove nothing: a campaign that sent nothing gets no row, nor does a label that nobody used.
    private func knownCampaign(of event: ReportedEvent) throws(StoreError) -> Int64 {
        guard let campaign = event.campaignID, campaign != 0 else { return 0 }
        let isKnown = try connection.integer(
            "SELECT EXISTS (SELECT 1 FROM report_counts WHERE project = ? AND campaign = ? AND campaign <> 0)",
            event.project.value, campaign)
        return isKnown != 0 ? campaign : 0
    }
}

/// Where the last delivery was counted. Neighbours are mostly counted at the same place.
struct CountedPlace {
    var message: MessageID
    var dimensions: ReportDimensions
    var place: ReportTally.Place

    /// Days of other calendars begin at other times.
    func holds(for message: MessageID, in project: UInt64, _ dimensions: ReportDimensions) -> Bool {
        let isOfDay = self.message == message || place.pacificDay == nil && place.day == message.day
        return isOfDay && place.project == project && self.dimensions == dimensions
    }
}

extension MessageID {
    /// Whole days since 1970, UTC, of acceptance.
    fileprivate var day: Int64 { value / 1_000_000 / 86_400 }
}
