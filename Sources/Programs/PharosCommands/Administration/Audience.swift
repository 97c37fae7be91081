import PushCore
import PushModel
import SQLiteStore
import Timekeeping

/// Who belongs to which topics and groups, for the administration commands: the same rules as behind the APIs.
struct Audience {
    let lookup: RegistrationLookup
    let subscriptions: TopicSubscriptions
    let groups: DeviceGroups
    let keys: DeviceGroupKeyCodec
    let tokens: RegistrationTokenCodec

    init(_ store: SQLiteStore) {
        let sealing = Sealing.openSSL(secret: store.serverSecret)
        let clock = SystemClock()
        tokens = RegistrationTokenCodec(sealing: sealing)
        keys = DeviceGroupKeyCodec(sealing: sealing)
        lookup = RegistrationLookup(registrations: store, tokens: tokens)
        subscriptions = TopicSubscriptions(store: store, registrations: lookup, clock: clock)
        groups = DeviceGroups(store: store, registrations: lookup, keys: keys, clock: clock)
    }
}

extension CommandFailure {
    static func topics(_ error: TopicError) -> CommandFailure {
        switch error {
        case .malformedToken:
            .failed("That is neither a registration token nor a FID.", nextStep: "See: pharos token inspect TOKEN")
        case .unknownRegistration:
            .failed("That registration is gone.", nextStep: "See: pharos token inspect TOKEN")
        case .senderIDMismatch:
            .failed("That registration belongs to another project.", nextStep: "Name it with --project PROJECT_ID.")
        case .tooManyTopics:
            .failed(
                "That app instance follows \(TopicLimits.topicsPerRegistration) topics already.",
                nextStep: "See them: pharos topic list --token TOKEN")
        case .denied: .failed("The project's rules keep apps out of that topic.", nextStep: "See: pharos topic rules")
        case .changeRateExceeded:
            .failed("The project changes too many subscriptions per second.", nextStep: "Try again in a second.")
        case .unavailable: .failed("The store does not answer.", nextStep: "Run: pharos doctor")
        }
    }

    static func groups(_ error: DeviceGroupError) -> CommandFailure {
        switch error {
        case .nameTaken: .failed("A group has that name.", nextStep: "See it: pharos group show NAME")
        case .notFound: .failed("There is no such group.", nextStep: "See which there are: pharos group show")
        case .nameMismatch: .failed("The key belongs to another group.", nextStep: "See: pharos group show")
        case .noValidMembers:
            .failed("None of the tokens is a live registration.", nextStep: "See: pharos token inspect TOKEN")
        case .tooManyMembers:
            .failed("A group has at most \(DeviceGroup.maximumMembers) members.", nextStep: "Use a topic instead.")
        case .invalidName: .failed("A group's name has 1 to 1,024 bytes.", nextStep: "Choose another name.")
        case .unavailable: .failed("The store does not answer.", nextStep: "Run: pharos doctor")
        }
    }
}
