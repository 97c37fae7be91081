import FirebaseCore
import FirebasePlatform
import Synchronization

extension VirtualIPhone {
    /// The app's service extension, whose process starts with its first notification. `nil` when the app has none.
    var serviceExtension: ServiceExtensionHost? {
        guard package.hasServiceExtension else { return nil }
        if let running = state.withLock(\.serviceExtension) { return running }
        let host = makeServiceExtension()
        state.withLock { $0.serviceExtension = host }
        return host
    }

    private func makeServiceExtension() -> ServiceExtensionHost {
        let info = PackageInfo(package: package, isExtension: true)
        let downloads = PhoneDownloads(
            tap, reachesInternet: reachesInternet,
            allowsPlainHTTP: info.infoValue("NSAllowsArbitraryLoads")?.flag ?? false)
        let platform = Platform(
            appInfo: info, device: PhoneFacts(phone: phone), appState: ManualAppState(.absent),
            push: ManualPushSource(), secureStore: InMemorySecureStore(), defaults: InMemoryDefaults(),
            files: InMemoryFiles(), transport: tap, clock: phoneClock, executors: loop.phoneExecutors,
            notifications: AppNotifications { _, _, _ in }, notificationCenter: RecordingScheduler(),
            links: RecordingLinks(), random: SystemRandom(), log: log, downloads: downloads)
        let makeSample: @Sendable () -> any HostedServiceExtension = { [package] in
            SampleServiceExtension(reportsDeliveries: package.reportsDeliveries)
        }
        return ServiceExtensionHost(
            platform: platform, downloads: downloads, clock: phoneClock, loop: loop,
            makeService: package.code?.makeServiceExtension ?? makeSample)
    }
}
