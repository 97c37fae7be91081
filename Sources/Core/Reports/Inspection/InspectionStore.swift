public import PushCore
public import PushModel
public import Timekeeping

/// What the inspector shows: messages, deliveries, devices and topics. Every list is paged by a key, newest first.
public protocol InspectionStore: Sendable {
    func messages(_ query: MessageQuery) throws(StoreError) -> MessagePage
    /// `nil` when the message is not kept, or not any more.
    func inspectedMessage(_ id: MessageID) throws(StoreError) -> InspectedMessage?
    /// The next deliveries of a message, in order.
    func deliveries(
        of message: MessageID, after id: DeliveryID?, limit: Int
    ) throws(StoreError) -> [InspectedDelivery]
    /// Keeps answers that asked for another try. Returns at once.
    func keep(_ tries: [DeliveryTry])

    /// The next registrations of a project, newest first.
    func devices(_ query: DeviceQuery) throws(StoreError) -> DevicePage
    func device(_ id: RegistrationID) throws(StoreError) -> InspectedDevice?
    func inspectedTopic(_ topic: TopicName, in project: ProjectNumber) throws(StoreError) -> InspectedTopic?
}

/// Which messages of a project.
public struct MessageQuery: Sendable, Equatable {
    public enum Filter: Sendable, Equatable {
        case all
        case registrations([RegistrationID])
        case topic(String)
        case label(String)
        case campaign(Int64)
    }

    public var project: ProjectNumber
    public var filter: Filter
    /// Of acceptance.
    public var from: Timestamp?
    /// Of acceptance; not included.
    public var to: Timestamp?
    public var place: MessagePlace?
    public var limit: Int

    public init(
        project: ProjectNumber, filter: Filter = .all, from: Timestamp? = nil, to: Timestamp? = nil,
        place: MessagePlace? = nil, limit: Int
    ) {
        self.project = project
        self.filter = filter
        self.from = from
        self.to = to
        self.place = place
        self.limit = limit
    }
}

/// Where a list of messages goes on: before a message, or, when a device's messages are looked for, before a delivery.
public enum MessagePlace: Sendable, Equatable {
    case before(MessageID)
    case beforeDelivery(DeliveryID)
}

public struct MessagePage: Sendable {
    public var messages: [InspectedMessage]
    /// `nil` at the end.
    public var next: MessagePlace?

    public init(messages: [InspectedMessage], next: MessagePlace?) {
        self.messages = messages
        self.next = next
    }
}

/// A message that is kept.
public struct InspectedMessage: Sendable, Equatable {
    public var id: MessageID
    public var project: ProjectNumber
    public var message: Message
    public var target: SendTarget
    public var acceptedAt: Timestamp
    public var expiresAt: Timestamp
    public var progress: MessageProgress
    /// What devices reported of it; only these members of the counts are set.
    public var reports: ReportCounts

    public init(
        id: MessageID, project: ProjectNumber, message: Message, target: SendTarget, acceptedAt: Timestamp,
        expiresAt: Timestamp, progress: MessageProgress, reports: ReportCounts
    ) {
        self.id = id
        self.project = project
        self.message = message
        self.target = target
        self.acceptedAt = acceptedAt
        self.expiresAt = expiresAt
        self.progress = progress
        self.reports = reports
    }
}

/// One message to one registration.
public struct InspectedDelivery: Sendable, Equatable {
    public enum State: Sendable, Equatable {
        /// It waits for a gateway.
        case waiting
        /// It waits in the inbox of a device.
        case inInbox
        case accepted
        case failed(FailureReason)
    }

    public var id: DeliveryID
    /// `nil` when the registration's row is gone.
    public var registration: Registration?
    public var state: State
    /// The `apns-id`, or the reason that a platform gave; empty when there is none.
    public var detail: String
    /// Of the end; `nil` when it has not ended.
    public var endedAt: Timestamp?
    public var tries: [DeliveryTry]
    public var reports: [StoredReport]

    public init(
        id: DeliveryID, registration: Registration?, state: State, detail: String = "", endedAt: Timestamp? = nil,
        tries: [DeliveryTry] = [], reports: [StoredReport] = []
    ) {
        self.id = id
        self.registration = registration
        self.state = state
        self.detail = detail
        self.endedAt = endedAt
        self.tries = tries
        self.reports = reports
    }
}

/// Some devices of a list.
public struct DevicePage: Sendable, Equatable {
    /// May be fewer than were asked for, or none, although there are more: a page looks at so many registrations only.
    public var devices: [InspectedRegistration]
    /// Where the list goes on; `nil` at its end.
    public var next: RegistrationID?

    public init(devices: [InspectedRegistration], next: RegistrationID?) {
        self.devices = devices
        self.next = next
    }
}

/// Which registrations.
public struct DeviceQuery: Sendable, Equatable {
    public enum Filter: Sendable, Equatable {
        case all
        case registrations([RegistrationID])
        case fid(String)
        case app(String)
        case version(String)
        /// Members of a topic, oldest first.
        case topic(TopicName)
    }

    public var project: ProjectNumber
    public var filter: Filter
    /// `next` of the page before.
    public var place: RegistrationID?
    /// How many are wanted at most.
    public var limit: Int

    public init(project: ProjectNumber, filter: Filter = .all, place: RegistrationID? = nil, limit: Int) {
        self.project = project
        self.filter = filter
        self.place = place
        self.limit = limit
    }
}

public struct InspectedRegistration: Sendable, Equatable {
    public var registration: Registration
    public var endedAt: Timestamp?

    public init(registration: Registration, endedAt: Timestamp?) {
        self.registration = registration
        self.endedAt = endedAt
    }
}

/// What a registration was before it changed.
public struct RegistrationChange: Sendable, Equatable {
    public var time: Timestamp
    public var registration: RegistrationID
    /// The random part of the token that it had.
    public var nonce: UInt64
    /// Why, in plain words.
    public var reason: String

    public init(time: Timestamp, registration: RegistrationID, nonce: UInt64, reason: String) {
        self.time = time
        self.registration = registration
        self.nonce = nonce
        self.reason = reason
    }
}

/// An app instance, with everything that is known of it.
public struct InspectedDevice: Sendable {
    public var registration: InspectedRegistration
    /// The other registrations of the same instance, or of the same device when there is no instance.
    public var others: [InspectedRegistration]
    public var topics: [TopicSubscription]
    /// Newest first.
    public var changes: [RegistrationChange]
    /// Deliveries that wait in the device's inbox for this registration, and how many more there are than shown.
    public var inbox: [(delivery: DeliveryID, message: MessageID, expiresAt: Timestamp)]
    public var pending: Int
    /// The last check-in, connection or confirmation that is known.
    public var lastSeen: Timestamp
    public var connectedAt: Timestamp?
    public var traits: InspectedTraits

    public init(
        registration: InspectedRegistration, others: [InspectedRegistration], topics: [TopicSubscription],
        changes: [RegistrationChange], inbox: [(delivery: DeliveryID, message: MessageID, expiresAt: Timestamp)],
        pending: Int, lastSeen: Timestamp, connectedAt: Timestamp?, traits: InspectedTraits
    ) {
        self.registration = registration
        self.others = others
        self.topics = topics
        self.changes = changes
        self.inbox = inbox
        self.pending = pending
        self.lastSeen = lastSeen
        self.connectedAt = connectedAt
        self.traits = traits
    }
}

/// What segments know of an app instance besides its registration; `nil` and empty where nothing was told.
public struct InspectedTraits: Sendable, Equatable {
    /// `de`.
    public var language: String?
    /// `DE`.
    public var country: String?
    /// `Europe/Berlin`.
    public var timeZone: String?
    public var firstOpenedAt: Timestamp
    /// When the app was last used, as far as it told.
    public var engagedAt: Timestamp?
    /// Custom properties, by name.
    public var properties: [String: String]

    public init(
        language: String?, country: String?, timeZone: String?, firstOpenedAt: Timestamp, engagedAt: Timestamp?,
        properties: [String: String]
    ) {
        self.language = language
        self.country = country
        self.timeZone = timeZone
        self.firstOpenedAt = firstOpenedAt
        self.engagedAt = engagedAt
        self.properties = properties
    }
}

/// A topic that somebody follows.
public struct InspectedTopic: Sendable, Equatable {
    public struct Day: Sendable, Equatable {
        /// Whole days since 1970, UTC.
        public var day: Int64
        public var joined, left: Int

        public init(day: Int64, joined: Int, left: Int) {
            self.day = day
            self.joined = joined
            self.left = left
        }
    }

    public var topic: TopicName
    public var members: Int
    /// Newest first.
    public var days: [Day]

    public init(topic: TopicName, members: Int, days: [Day]) {
        self.topic = topic
        self.members = members
        self.days = days
    }
}
