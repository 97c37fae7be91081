import Bytes
import ConsoleAPI
import Crypto
import DeliveryDataAPI
import EventLogAPI
import GoogleAPI
import InstallationsAPI
import InstanceIDAPI
import LegacyAPI
import OAuthAPI
import PushCore
import PushModel
import RegistrationAPI
import SQLiteStore
import SendAPI

extension PharosService {
    /// Gives out access tokens and knows its own again.
    func tokenEndpoint(_ addresses: Addresses) -> TokenEndpoint {
        let audiences = OAuthAudiences(serverURLs: [addresses.http, addresses.https].compactMap { $0 })
        return TokenEndpoint(
            secret: Secret(store.serverSecret), directory: store, clock: clock, audiences: audiences)
    }

    func makeRouter(endpoint: TokenEndpoint, senders: SenderAuthentication, extra: Router?) -> Router {
        var router = Router()
        endpoint.addRoutes(to: &router)
        let authentication = CallerAuthentication(verifier: endpoint.accessTokens)
        SendRoutes(pipeline: pipeline, projects: store, authentication: authentication).add(to: &router)
        DeliveryDataRoutes(store: store, projects: store, authentication: authentication, clock: clock).add(to: &router)
        MessageRoutes(messages: store, projects: store, authentication: authentication).add(to: &router)
        let lookup = RegistrationLookup(registrations: store, tokens: tokens)
        let subscriptions = TopicSubscriptions(
            store: store, registrations: lookup, clock: clock,
            quota: sealedSettings.value.topicChangesPerSecond.map {
                TopicChangeQuota(changesPerSecond: $0, clock: clock)
            })
        addSenderRoutes(to: &router, senders, authentication, lookup, subscriptions)
        PropertyRoutes(campaigns: campaigns, projects: store, authentication: authentication).add(to: &router)
        let installations = InstallationService(store: store, clock: clock, sealing: sealing)
        router.mount(InstallationRoutes(installations: installations, directory: store).router)
        router.mount(
            DeviceRoutes.router(
                checkIn: DeviceCheckIn(store: store, clock: clock, sealing: sealing),
                classic: ClassicRegistrar(
                    store: store, directory: store, installations: installations, clock: clock, sealing: sealing),
                instances: InstanceRegistrar(
                    store: store, directory: store, installations: installations, clock: clock, sealing: sealing,
                    webPushKeys: webPushKeys),
                topics: DeviceTopics(store: store, tokens: tokens, subscriptions: subscriptions),
                subscriptions: subscriptions, directory: store, clock: clock,
                registered: registered))
        router.mount(
            EventLogRoutes(
                intake: ReportIntake(store: store, directory: store, clock: clock, observer: observer)
            ).router)
        router.mount(
            HealthRoutes(
                metrics: metrics, readiness: readiness, hasPublicMetrics: sealedSettings.value.hasPublicMetrics
            ).router)
        if let extra { router.mount(extra) }
        return router
    }

    /// The doors of app servers beside HTTP v1: the legacy protocol, device groups, Instance ID, topic subscriptions.
    func addSenderRoutes(
        to router: inout Router, _ senders: SenderAuthentication, _ authentication: CallerAuthentication,
        _ lookup: RegistrationLookup, _ subscriptions: TopicSubscriptions
    ) {
        LegacySendRoutes(
            pipeline: pipeline, senders: senders, registrations: store, groups: store, clock: clock, sealing: sealing
        ).add(to: &router)
        DeviceGroupRoutes(
            groups: DeviceGroups(
                store: store, registrations: lookup, keys: DeviceGroupKeyCodec(sealing: sealing), clock: clock),
            senders: senders
        ).add(to: &router)
        InstanceIDRoutes(
            senders: senders, subscriptions: subscriptions,
            importer: APNsTokenImporter(
                store: store, known: store, directory: store, clock: clock, sealing: sealing,
                registered: registered)
        ).add(to: &router)
        InstanceDeletionRoute(store: store, projects: store, authentication: authentication, clock: clock)
            .add(to: &router)
        TopicSubscriptionRoutes(subscriptions: subscriptions, projects: store, authentication: authentication)
            .add(to: &router)
    }

    /// An app has a new APNs token, maybe its first: what waited for one goes on its way.
    private var registered: @Sendable (Registration) -> Void {
        { [dispatcher, inboxes, live] registration in
            dispatcher.registrationChanged(registration.id)
            let isConnected = live.isConnected(registration.androidID)
            // Owned by nobody: what it cannot move now goes with the next connection, or the next start.
            Task { try? await inboxes.registrationChanged(registration, isConnected: isConnected) }
        }
    }
}
