import FirebasePlatform
import Testing

@testable import FirebaseApple

@Suite struct `The bundle` {
    struct Build: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var isMac = false
        var isSimulator = false
        var hasProfile = false
        var receipt: String?
        var isFromStore: Bool
    }

    static let builds = [
        Build(testDescription: "phone, App Store", receipt: "receipt", isFromStore: true),
        Build(testDescription: "phone, TestFlight", receipt: "sandboxReceipt", isFromStore: true),
        Build(testDescription: "phone, no receipt yet", isFromStore: true),
        Build(testDescription: "phone, from Xcode", hasProfile: true, isFromStore: false),
        Build(testDescription: "phone, ad hoc", hasProfile: true, receipt: "sandboxReceipt", isFromStore: false),
        Build(testDescription: "simulator", isSimulator: true, isFromStore: false),
        Build(testDescription: "Mac, App Store", isMac: true, hasProfile: true, receipt: "receipt", isFromStore: true),
        Build(testDescription: "Mac, from Xcode", isMac: true, hasProfile: true, isFromStore: false),
        Build(testDescription: "Mac, signed without a profile", isMac: true, isFromStore: false),
    ]

    @Test(arguments: builds) func `knows what came through the store`(build: Build) {
        #expect(
            StoreBuild.isFromStore(
                isMac: build.isMac, isSimulator: build.isSimulator, hasProfile: build.hasProfile,
                receiptName: build.receipt) == build.isFromStore)
    }

    @Test func `tells apps, extensions and old watch extensions apart`() {
        func kind(_ pathExtension: String, point: String?) -> [Bool] {
            let info = point.map { PlistValue.dictionary(["NSExtensionPointIdentifier": .string($0)]) }
            let kind = BundleKind(pathExtension: pathExtension, extensionInfo: info)
            return [kind.isExtension, kind.isWatchExtension]
        }
        #expect(kind("app", point: nil) == [false, false])
        #expect(kind("appex", point: "com.apple.usernotifications.service") == [true, false])
        #expect(kind("appex", point: "com.apple.watchkit") == [true, true])
        #expect(kind("appex", point: nil) == [true, false])
    }

    @Test func `takes text under NSExtension for no extension`() {
        #expect(!BundleKind(pathExtension: "app", extensionInfo: .string("com.apple.watchkit")).isExtension)
    }
}
