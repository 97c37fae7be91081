import FirebasePlatform

#if canImport(Darwin)
    import FirebaseApple
    import FirebaseAppDelegateProxy
#endif

/// The proxies that bring device tokens and messages from the app's delegates. Apple systems alone have them.
enum HostProxies {
    static func install(for platform: Platform) {
        #if canImport(Darwin)
            guard let host = platform.push as? HostEvents else { return }
            let main = platform.executors.main
            if main.isCurrent {
                MainActor.assumeIsolated { AppDelegateProxy.install(feeding: host, main: main) }
            } else {
                main.enqueue { MainActor.assumeIsolated { AppDelegateProxy.install(feeding: host, main: main) } }
            }
        #endif
    }
}
