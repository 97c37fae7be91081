import FirebasePlatform

#if canImport(Darwin)
    import FirebaseApple
    import Synchronization
#endif

/// The platform of a process that installed none: on Apple systems that of the device.
enum HostPlatform {
    #if canImport(Darwin)
        private static let device = Mutex<Platform?>(nil)

        static func install() -> Platform? {
            device.withLock { device in
                if let device { return device }
                let made = Platform.apple()
                device = made
                Platform.install(made)
                return made
            }
        }
    #else
        static func install() -> Platform? { nil }
    #endif
}
