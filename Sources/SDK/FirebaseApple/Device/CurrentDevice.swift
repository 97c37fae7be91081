#if canImport(Darwin)
    import Darwin
    import FirebasePlatform
    import Foundation

    /// The device the process runs on.
    struct CurrentDevice: DeviceFacts {
        var model: String {
            #if targetEnvironment(simulator)
                ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"] ?? Self.systemValue("hw.machine")
            #elseif os(macOS) || targetEnvironment(macCatalyst)
                Self.systemValue("hw.model")
            #else
                Self.systemValue("hw.machine")
            #endif
        }

        var osVersion: String {
            let version = ProcessInfo.processInfo.operatingSystemVersion
            return SystemVersion.text(
                major: version.majorVersion, minor: version.minorVersion, patch: version.patchVersion)
        }

        var platformName: String {
            #if targetEnvironment(macCatalyst)
                "maccatalyst"
            #elseif os(macOS)
                "macos"
            #elseif os(tvOS)
                "tvos"
            #elseif os(watchOS)
                "watchos"
            #elseif os(visionOS)
                "visionos"
            #else
                "ios"
            #endif
        }

        var preferredLanguages: [String] { Locale.preferredLanguages }

        var timeZoneName: String { TimeZone.current.identifier }

        func localTimeOffsetSeconds(at date: Date) -> Int { TimeZone.current.secondsFromGMT(for: date) }

        private static func systemValue(_ name: String) -> String {
            var value = [UInt8](repeating: 0, count: 256)
            let status = name.withCString { name in
                value.withUnsafeMutableBytes { buffer in
                    var size = buffer.count
                    return withUnsafeMutablePointer(to: &size) { sysctlbyname(name, buffer.baseAddress, $0, nil, 0) }
                }
            }
            return status == 0 ? String(decoding: value.prefix { $0 != 0 }, as: UTF8.self) : "unknown"
        }
    }
#endif
