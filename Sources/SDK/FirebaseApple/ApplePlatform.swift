#if canImport(Darwin)
    public import FirebasePlatform

    extension Platform {
        /// The device and the app that this process belongs to.
        ///
        /// `FirebaseApp.configure()` installs it by itself. Install one of your own before that to share secrets with
        /// extensions, or to put something else in the place of a part.
        ///
        /// - Parameter keychainAccessGroup: The group that secrets belong to, with its team prefix. `nil`: what Info.plist
        ///   says under `FirebaseKeychainAccessGroup`, else the app's own group.
        public static func apple(keychainAccessGroup: String? = nil) -> Platform {
            let appInfo = BundleAppInfo()
            let main = MainQueue()
            let host = HostEvents(main: main)
            return Platform(
                appInfo: appInfo, device: CurrentDevice(),
                appState: ApplicationState(isExtension: appInfo.isExtension && !appInfo.isWatchExtension, main: main),
                push: host,
                secureStore: KeychainStore(
                    accessGroup: keychainAccessGroup ?? appInfo.infoValue("FirebaseKeychainAccessGroup")?.string),
                defaults: UserDefaultsStore(), files: SupportFiles.ofThisApp(), transport: SessionTransport(),
                clock: SystemClock(), executors: Executors(main: main, background: globalConcurrentExecutor),
                notifications: CenterPoster(), notificationCenter: UserNotificationScheduler(),
                links: ActivityLinkOpener(), random: SystemRandom(), log: UnifiedLog(),
                reachability: PathReachability(main: main), byteStreams: NetworkByteStreams(),
                downloads: SessionDownloads(), incomingMessages: host)
        }
    }
#endif
