// swift-tools-version: 6.2
import PackageDescription

/// Settings that every Swift target of the package shares.
let swiftSettings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func module(_ name: String, in folder: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)", swiftSettings: swiftSettings)
}

/// For tests of what apps should no longer use.
let deprecationsAllowed: [SwiftSetting] = [.treatWarning("DeprecatedDeclaration", as: .warning)]

func tests(
    of name: String, _ others: [Target.Dependency] = [], resources: [Resource]? = nil,
    moreSettings: [SwiftSetting] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.init(stringLiteral: name)] + others, resources: resources,
        swiftSettings: swiftSettings + moreSettings)
}

func library(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig,
        providers: [.apt([apt]), .brew([brew])])
}

let cLibraries: [Target] = [
    library("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev", brew: "openssl@3"),
    library("CNghttp2", pkgConfig: "libnghttp2", apt: "libnghttp2-dev", brew: "libnghttp2"),
    library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
    library("CExpat", pkgConfig: "expat", apt: "libexpat1-dev", brew: "expat"),
    .target(name: "CLinux", path: "Sources/CLibraries/CLinux"),
    .target(name: "CConsoleAssets", path: "Sources/CLibraries/CConsoleAssets"),
]

let primitives: [Target] = [
    module("Bytes", in: "Primitives"),
    module("JSON", in: "Primitives"),
    module("Timekeeping", in: "Primitives"),
    module("Telemetry", in: "Primitives", ["Bytes", "JSON", "Timekeeping"]),
]

let wire: [Target] = [
    module("Crypto", in: "Wire", ["Bytes", "JSON", "Timekeeping", "COpenSSL"]),
    module("TLSRecordWire", in: "Wire", ["COpenSSL"]),
    module("Compression", in: "Wire", ["CZlib"]),
    module("HTTPSemantics", in: "Wire", ["Bytes"]),
    module("HTTP1Wire", in: "Wire", ["Bytes", "HTTPSemantics"]),
    module("HTTP2Wire", in: "Wire", ["Bytes", "HTTPSemantics", "CNghttp2"]),
    module("ProtobufWire", in: "Wire", ["Bytes"]),
    module("MultipartWire", in: "Wire", ["Bytes", "HTTPSemantics", "HTTP1Wire"]),
    module("MCSWire", in: "Wire", ["Bytes", "ProtobufWire"]),
    module("XMPPWire", in: "Wire", ["Bytes", "CExpat"]),
    module("WebPushWire", in: "Wire", ["Bytes", "JSON", "Timekeeping", "Crypto"]),
]

let net: [Target] = [
    module("EventLoop", in: "Net", ["CLinux"]),
    module("Transport", in: "Net", ["Bytes", "EventLoop", "TLSRecordWire", "CLinux", "COpenSSL"]),
    module(
        "HTTPServer", in: "Net",
        [
            "Bytes", "EventLoop", "Transport", "HTTPSemantics", "HTTP1Wire", "HTTP2Wire", "Compression", "Telemetry",
        ]),
    module(
        "HTTPClient", in: "Net",
        ["Bytes", "EventLoop", "Transport", "HTTPSemantics", "HTTP1Wire", "HTTP2Wire", "Compression"]),
]

let core: [Target] = [
    module("PushModel", in: "Core", ["Bytes", "JSON", "Timekeeping"]),
    module("PushCore", in: "Core", ["PushModel", "Bytes", "JSON", "Timekeeping", "Telemetry"]),
    module("Accounts", in: "Core", ["PushCore", "PushModel", "Bytes", "Timekeeping"]),
    module("Campaigns", in: "Core", ["PushCore", "PushModel", "JSON", "Timekeeping"]),
    module("Reports", in: "Core", ["PushCore", "PushModel", "Bytes", "JSON", "Timekeeping"]),
]

let adapters: [Target] = [
    module(
        "SQLiteStore", in: "Stores",
        ["PushCore", "PushModel", "Accounts", "Campaigns", "Reports", "Bytes", "JSON", "Timekeeping", "CSQLite"]),
    module(
        "APNsGateway", in: "Gateways",
        [
            "PushCore", "PushModel", "Bytes", "JSON", "Timekeeping", "Telemetry", "Crypto", "EventLoop", "Transport",
            "HTTPSemantics", "HTTP2Wire",
        ]),
    module(
        "DeviceChannel", in: "Gateways",
        [
            "PushCore", "PushModel", "Bytes", "JSON", "Timekeeping", "Telemetry", "EventLoop", "Transport", "MCSWire",
        ]),
    module(
        "WebPushGateway", in: "Gateways",
        [
            "PushCore", "PushModel", "Bytes", "JSON", "Timekeeping", "Telemetry", "Crypto", "EventLoop", "Transport",
            "HTTPSemantics", "HTTPClient", "WebPushWire",
        ]),
]

let apiBasics: [Target.Dependency] = [
    "PushCore", "PushModel", "Bytes", "JSON", "Timekeeping", "Telemetry", "HTTPSemantics", "HTTPServer",
]
let apis: [Target] = [
    module("GoogleAPI", in: "APIs", apiBasics),
    module("OAuthAPI", in: "APIs", apiBasics + ["GoogleAPI", "Crypto"]),
    module("SendAPI", in: "APIs", apiBasics + ["GoogleAPI", "MultipartWire"]),
    module("LegacyAPI", in: "APIs", apiBasics + ["GoogleAPI"]),
    module("InstanceIDAPI", in: "APIs", apiBasics + ["GoogleAPI"]),
    module("XMPPAPI", in: "APIs", apiBasics + ["GoogleAPI", "LegacyAPI", "EventLoop", "Transport", "XMPPWire"]),
    module("WebPushAPI", in: "APIs", apiBasics + ["GoogleAPI", "Crypto", "WebPushWire"]),
    module("InstallationsAPI", in: "APIs", apiBasics + ["GoogleAPI", "Crypto"]),
    module("EventLogAPI", in: "APIs", apiBasics + ["GoogleAPI", "ProtobufWire"]),
    module("ConsoleAssets", in: "APIs", ["CConsoleAssets"]),
    module(
        "ConsoleAPI", in: "APIs",
        apiBasics + ["GoogleAPI", "OAuthAPI", "ConsoleAssets", "Accounts", "Campaigns", "Reports", "Crypto"]),
    module("DeliveryDataAPI", in: "APIs", apiBasics + ["GoogleAPI", "Reports"]),
    module(
        "RegistrationAPI", in: "APIs",
        apiBasics + ["GoogleAPI", "Crypto", "ProtobufWire", "Compression", "WebPushWire"]),
]

// Of use to apps alone, which are built on Macs: elsewhere a resource would only bring Foundation into the programs.
#if os(macOS)
    let appleResources: [Resource] = [.copy("Resources/PrivacyInfo.xcprivacy")]
#else
    let appleResources: [Resource] = []
#endif

let sdk: [Target] = [
    module("FirebasePlatform", in: "SDK", ["Bytes"]),
    .target(
        name: "FirebaseApple", dependencies: ["FirebasePlatform"], path: "Sources/SDK/FirebaseApple",
        exclude: appleResources.isEmpty ? ["Resources"] : [], resources: appleResources, swiftSettings: swiftSettings),
    module("FirebaseAppDelegateProxy", in: "SDK", ["FirebasePlatform", "FirebaseApple"]),
    module("FirebaseCore", in: "SDK", ["FirebasePlatform", "FirebaseApple", "Bytes", "JSON"]),
    module("FirebaseInstallations", in: "SDK", ["FirebasePlatform", "FirebaseCore", "Bytes", "JSON"]),
    module(
        "FirebaseMessaging", in: "SDK",
        [
            "FirebasePlatform", "FirebaseApple", "FirebaseAppDelegateProxy", "FirebaseCore", "FirebaseInstallations",
            "Bytes", "JSON", "MCSWire", "ProtobufWire",
        ]),
    module("FirebaseMessagingDelegates", in: "SDK", ["FirebaseCore", "FirebaseMessaging"]),
    // Constants for Objective-C: empty elsewhere.
    .target(name: "FirebaseObjectiveC", path: "Sources/SDK/FirebaseObjectiveC"),
    module(
        "FirebaseInstanceID", in: "SDK",
        ["FirebasePlatform", "FirebaseCore", "FirebaseInstallations", "FirebaseMessaging"]),
    module(
        "Firebase", in: "SDK",
        ["FirebasePlatform", "FirebaseCore", "FirebaseInstallations", "FirebaseMessaging", "FirebaseInstanceID"]),
]

let simulators: [Target] = [
    module(
        "APNsSimulator", in: "Simulators",
        [
            "Bytes", "JSON", "Timekeeping", "Telemetry", "Crypto", "EventLoop", "Transport", "HTTPSemantics",
            "HTTP2Wire", "HTTPServer",
        ]),
    module(
        "DeviceSimulator", in: "Simulators",
        [
            "Bytes", "JSON", "Timekeeping", "EventLoop", "Transport", "HTTPSemantics", "HTTPClient",
            "FirebasePlatform", "FirebaseCore", "FirebaseInstallations", "FirebaseMessaging",
        ]),
]

let programs: [Target] = [
    module(
        "PharosCommands", in: "Programs",
        apiBasics + [
            "Crypto", "EventLoop", "Transport", "HTTP1Wire", "HTTPClient", "SQLiteStore", "APNsGateway", "GoogleAPI",
            "OAuthAPI",
            "SendAPI", "LegacyAPI", "InstanceIDAPI", "InstallationsAPI", "RegistrationAPI", "APNsSimulator",
            "DeviceSimulator",
            "FirebasePlatform", "DeviceChannel", "WebPushGateway", "XMPPAPI", "WebPushAPI", "WebPushWire",
            "EventLogAPI", "Accounts", "Campaigns", "Reports", "ConsoleAPI", "DeliveryDataAPI",
        ]),
    .executableTarget(
        name: "pharos", dependencies: ["PharosCommands"], path: "Sources/Programs/pharos",
        swiftSettings: swiftSettings),
    module(
        "PharosBench", in: "Programs",
        [
            "PharosCommands", "PushCore", "PushModel", "Reports", "Bytes", "JSON", "Timekeeping", "Crypto", "EventLoop",
            "Transport", "MCSWire", "XMPPWire", "SQLiteStore", "APNsGateway", "OAuthAPI", "GoogleAPI", "SendAPI",
        ]),
    .executableTarget(
        name: "pharos-bench", dependencies: ["PharosBench"], path: "Sources/Programs/pharos-bench",
        swiftSettings: swiftSettings),
]

let testTargets: [Target] = [
    .target(name: "PropertyTesting", path: "Tests/Support/PropertyTesting", swiftSettings: swiftSettings),
    .executableTarget(
        name: "store-crash-probe", dependencies: ["SQLiteStore", "PushCore", "PushModel", "Timekeeping"],
        path: "Tests/Support/StoreCrashProbe", swiftSettings: swiftSettings),
    .target(
        name: "NetTesting", dependencies: ["CLinux"], path: "Tests/Support/NetTesting", swiftSettings: swiftSettings),
    tests(of: "Bytes", ["PropertyTesting"]),
    tests(of: "JSON"),
    tests(of: "Crypto", ["Bytes", "JSON", "Timekeeping"]),
    tests(of: "Compression", ["PropertyTesting"]),
    tests(of: "HTTPSemantics", ["Bytes"]),
    tests(of: "HTTP1Wire", ["Bytes", "HTTPSemantics", "PropertyTesting"]),
    tests(of: "HTTP2Wire", ["Bytes", "HTTPSemantics", "PropertyTesting"]),
    tests(of: "ProtobufWire", ["Bytes", "PropertyTesting"]),
    tests(of: "MultipartWire", ["Bytes", "HTTPSemantics", "HTTP1Wire", "PropertyTesting"]),
    tests(of: "TLSRecordWire", ["PropertyTesting"]),
    tests(of: "MCSWire", ["Bytes", "ProtobufWire", "PropertyTesting"]),
    tests(of: "XMPPWire", ["Bytes", "PropertyTesting"]),
    tests(of: "WebPushWire", ["Bytes", "JSON", "Timekeeping", "Crypto", "PropertyTesting"]),
    tests(
        of: "DeviceChannel",
        [
            "PushCore", "PushModel", "Bytes", "JSON", "Timekeeping", "Telemetry", "EventLoop", "Transport", "MCSWire",
            "ProtobufWire", "Crypto", "SQLiteStore", "NetTesting", "PropertyTesting",
        ]),
    tests(
        of: "WebPushGateway",
        [
            "PushCore", "PushModel", "Bytes", "JSON", "Timekeeping", "Telemetry", "Crypto", "EventLoop", "Transport",
            "HTTPSemantics", "HTTPClient", "HTTPServer", "WebPushWire", "NetTesting",
        ]),
    tests(
        of: "XMPPAPI",
        apiBasics + [
            "GoogleAPI", "LegacyAPI", "EventLoop", "Transport", "XMPPWire", "SQLiteStore", "AppServerTesting",
            "NetTesting", "PropertyTesting",
        ]),
    tests(
        of: "WebPushAPI",
        apiBasics + ["GoogleAPI", "Crypto", "WebPushWire", "SQLiteStore", "AppServerTesting", "PropertyTesting"]),
    tests(of: "EventLoop"),
    tests(of: "Transport", ["CLinux", "COpenSSL", "EventLoop", "NetTesting"]),
    tests(
        of: "HTTPServer",
        [
            "Bytes", "EventLoop", "Transport", "HTTPSemantics", "HTTP1Wire", "HTTP2Wire", "HTTPClient", "Compression",
            "NetTesting",
        ]),
    tests(of: "HTTPClient", ["EventLoop", "Transport", "HTTPSemantics", "HTTPServer", "NetTesting"]),
    tests(of: "Telemetry", ["Bytes", "JSON", "Timekeeping"]),
    tests(of: "Timekeeping"),
    tests(of: "PushModel", ["Bytes", "JSON", "Timekeeping"]),
    tests(of: "PushCore", ["PushModel", "Bytes", "JSON", "Timekeeping", "Telemetry", "PropertyTesting"]),
    tests(of: "Campaigns", ["PushCore", "PushModel", "JSON", "Timekeeping", "PropertyTesting"]),
    tests(
        of: "SQLiteStore",
        [
            "Campaigns", "Reports", "PushCore", "PushModel", "Accounts", "Bytes", "JSON", "Timekeeping",
            "PropertyTesting",
        ]),
    tests(of: "Accounts", ["PushCore", "PushModel", "SQLiteStore", "Bytes", "Timekeeping"]),
    tests(
        of: "ConsoleAPI",
        apiBasics + [
            "GoogleAPI", "Accounts", "Campaigns", "Reports", "Crypto", "SQLiteStore", "PropertyTesting",
            "AppServerTesting",
        ]),
    tests(of: "Reports", ["PushCore", "PushModel", "Bytes", "JSON", "Timekeeping", "PropertyTesting"]),
    tests(
        of: "APNsGateway",
        [
            "PushCore", "PushModel", "Bytes", "JSON", "Timekeeping", "Telemetry", "Crypto", "EventLoop", "Transport",
            "HTTPSemantics", "HTTP2Wire", "APNsSimulator", "PropertyTesting",
        ]),
    tests(of: "ConsoleAssets"),
    tests(of: "GoogleAPI", apiBasics),
    tests(of: "OAuthAPI", apiBasics + ["GoogleAPI", "Crypto"]),
    .target(
        name: "AppServerTesting",
        dependencies: [
            "GoogleAPI", "PushCore", "PushModel", "SQLiteStore", "Crypto", "HTTPSemantics", "Bytes", "Timekeeping",
        ], path: "Tests/Support/AppServerTesting", swiftSettings: swiftSettings),
    tests(of: "DeliveryDataAPI", apiBasics + ["GoogleAPI", "Reports", "SQLiteStore", "AppServerTesting"]),
    tests(of: "LegacyAPI", apiBasics + ["GoogleAPI", "SQLiteStore", "AppServerTesting", "PropertyTesting"]),
    tests(of: "InstanceIDAPI", apiBasics + ["GoogleAPI", "SQLiteStore", "AppServerTesting", "PropertyTesting"]),
    tests(of: "SendAPI", apiBasics + ["GoogleAPI", "PropertyTesting"]),
    tests(
        of: "RegistrationAPI",
        apiBasics + ["GoogleAPI", "InstallationsAPI", "SQLiteStore", "Crypto", "ProtobufWire", "Compression"]),
    tests(
        of: "EventLogAPI",
        apiBasics + ["GoogleAPI", "InstallationsAPI", "SQLiteStore", "Crypto", "ProtobufWire", "PropertyTesting"]),
    tests(of: "FirebaseApple", ["FirebasePlatform"]),
    tests(of: "FirebaseAppDelegateProxy", ["FirebasePlatform"]),
    tests(of: "FirebaseCore", ["FirebasePlatform", "Bytes", "JSON"]),
    tests(of: "FirebaseInstallations", ["FirebasePlatform", "FirebaseCore", "Bytes", "JSON"]),
    tests(
        of: "FirebaseMessaging",
        [
            "FirebasePlatform", "FirebaseCore", "FirebaseInstallations", "FirebaseInstanceID", "Firebase", "Bytes",
            "JSON", "MCSWire", "ProtobufWire", "PropertyTesting",
        ], moreSettings: deprecationsAllowed),
    tests(
        of: "APNsSimulator",
        [
            "Bytes", "JSON", "Timekeeping", "Telemetry", "Crypto", "EventLoop", "Transport", "HTTPSemantics",
            "HTTP2Wire", "HTTPServer",
        ]),
    tests(
        of: "DeviceSimulator",
        [
            "Bytes", "JSON", "Timekeeping", "EventLoop", "Transport", "HTTPSemantics", "HTTPClient",
            "FirebasePlatform", "FirebaseCore", "FirebaseInstallations", "FirebaseMessaging", "MCSWire", "NetTesting",
            "HTTPServer", "ProtobufWire",
        ]),
    tests(
        of: "PharosCommands", apiBasics + ["Campaigns", "Crypto", "EventLoop", "HTTPClient", "SQLiteStore", "OAuthAPI"]),
]

// Apps of three eras as processes of their own: on a phone that is simulated, against modules with the names of Apple's. On a
// Mac those names are taken.
#if os(Linux)
    let phoneModules: [Target] = [
        .target(
            name: "PhoneFoundation", dependencies: ["FirebasePlatform"],
            path: "Tests/Support/ApplePhone/PhoneFoundation", swiftSettings: swiftSettings),
        .target(
            name: "UserNotifications", dependencies: ["PhoneFoundation", "FirebasePlatform", "DeviceSimulator"],
            path: "Tests/Support/ApplePhone/UserNotifications", swiftSettings: swiftSettings),
        .target(
            name: "UIKit",
            dependencies: [
                "PhoneFoundation", "UserNotifications", "FirebasePlatform", "DeviceSimulator", "EventLoop", "Transport",
                "HTTPClient", "JSON", "Timekeeping",
            ], path: "Tests/Support/ApplePhone/UIKit", swiftSettings: swiftSettings),
    ]

    func eraApp(_ name: String, _ sdk: Target.Dependency...) -> Target {
        .executableTarget(
            name: name, dependencies: sdk + ["UIKit", "UserNotifications"], path: "Tests/Support/EraApps/\(name)",
            exclude: ["Info.plist", "systems"],
            // Apps of those years: Swift 5 and what was not deprecated then.
            swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])])
    }

    let eraApps =
        phoneModules + [
            eraApp("News2017", "Firebase"), eraApp("NewsByHand2017", "Firebase"), eraApp("Cart2020", "Firebase"),
            eraApp("Gallery2026", "FirebaseCore", "FirebaseMessaging"),
        ]
#else
    let eraApps: [Target] = []
#endif

let package = Package(
    name: "Pharos",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .executable(name: "pharos", targets: ["pharos"]),
        .executable(name: "pharos-bench", targets: ["pharos-bench"]),
        .library(name: "FirebaseCore", targets: ["FirebaseCore"]),
        .library(name: "FirebaseInstallations", targets: ["FirebaseInstallations"]),
        .library(name: "FirebaseMessaging", targets: ["FirebaseMessaging", "FirebaseObjectiveC"]),
        .library(name: "FirebaseMessagingDelegates", targets: ["FirebaseMessagingDelegates"]),
        .library(name: "FirebaseInstanceID", targets: ["FirebaseInstanceID"]),
        .library(name: "Firebase", targets: ["Firebase", "FirebaseObjectiveC"]),
    ],
    targets: cLibraries + primitives + wire + net + core + adapters + apis + sdk + simulators + programs
        + testTargets + eraApps,
    swiftLanguageModes: [.v6]
)
