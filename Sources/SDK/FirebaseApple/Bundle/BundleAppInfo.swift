#if canImport(Darwin)
    import FirebasePlatform
    import Foundation

    /// What the main bundle says.
    struct BundleAppInfo: AppInfo {
        private var bundle: Bundle { .main }

        var bundleID: String { bundle.bundleIdentifier ?? "" }

        var shortVersion: String { infoValue("CFBundleShortVersionString")?.string ?? "" }

        func infoValue(_ key: String) -> PlistValue? {
            bundle.object(forInfoDictionaryKey: key).flatMap(PlistValue.init(foundation:))
        }

        func configurationPlist() -> [UInt8]? {
            bytes(bundle.url(forResource: "GoogleService-Info", withExtension: "plist"))
        }

        private var kind: BundleKind {
            BundleKind(pathExtension: bundle.bundleURL.pathExtension, extensionInfo: infoValue("NSExtension"))
        }

        var isExtension: Bool { kind.isExtension }
        var isWatchExtension: Bool { kind.isWatchExtension }

        var isSimulator: Bool {
            #if targetEnvironment(simulator)
                true
            #else
                false
            #endif
        }

        var isAppStore: Bool {
            #if os(macOS) || targetEnvironment(macCatalyst)
                let isMac = true
            #else
                let isMac = false
            #endif
            let receipt = bundle.appStoreReceiptURL.flatMap { url in
                FileManager.default.fileExists(atPath: url.path) ? url.lastPathComponent : nil
            }
            return StoreBuild.isFromStore(
                isMac: isMac, isSimulator: isSimulator, hasProfile: provisioningProfile() != nil, receiptName: receipt)
        }

        func provisioningProfile() -> [UInt8]? {
            #if os(macOS) || targetEnvironment(macCatalyst)
                bytes(bundle.bundleURL.appendingPathComponent("Contents/embedded.provisionprofile"))
            #else
                bytes(bundle.bundleURL.appendingPathComponent("embedded.mobileprovision"))
            #endif
        }

        private func bytes(_ url: URL?) -> [UInt8]? {
            url.flatMap { try? Data(contentsOf: $0) }.map(Array.init)
        }
    }
#endif
