#if canImport(Darwin)
    import FirebasePlatform
    import Foundation

    /// The app's user defaults, and suites of app groups.
    struct UserDefaultsStore: DefaultsStore {
        func value(_ key: String, suite: String?) -> PlistValue? {
            defaults(suite).object(forKey: key).flatMap(PlistValue.init(foundation:))
        }

        func set(_ value: PlistValue?, for key: String, suite: String?) {
            if let value {
                defaults(suite).set(value.foundation, forKey: key)
            } else {
                defaults(suite).removeObject(forKey: key)
            }
        }

        /// A name that the system refuses stands for the app's own defaults.
        private func defaults(_ suite: String?) -> UserDefaults {
            suite.flatMap(UserDefaults.init(suiteName:)) ?? .standard
        }
    }
#endif
