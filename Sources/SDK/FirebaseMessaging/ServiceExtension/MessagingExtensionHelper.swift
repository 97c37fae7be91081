import FirebaseCore
public import FirebasePlatform

/// What a notification service extension asks of messaging: the image of a message, and reports of its delivery.
///
/// Needs no configured app. Without one, reports go where the `GoogleService-Info.plist` of the extension says.
public final class MessagingExtensionHelper: Sendable {
    /// Seconds after which the image is given up: the system ends an extension after about 30.
    public static let imageTimeLimitSeconds = 25.0
    /// Bytes of the largest file that the system attaches.
    public static let maximumImageBytes = 50 << 20

    private let container: FirebaseContainer?

    public init() {
        container = FirebaseContainer.current
    }

    /// Attaches the image that the message names, and hands the content on.
    ///
    /// The handler is called exactly once, whatever happens to the image: at once when there is none, else on main when
    /// it is there, when it cannot be had, or when its time is up.
    ///
    /// - Parameters:
    ///   - content: The content to change: the mutable copy that the extension made of the request's.
    ///   - contentHandler: The system's.
    public func populateNotificationContent<Content: MutableNotificationContent>(
        _ content: Content, withContentHandler contentHandler: @escaping (Content) -> Void
    ) {
        let delivery = ContentDelivery(content, contentHandler)
        guard let container, let downloads = container.platform.downloads,
            container.platform.device.platformName != "tvos", let image = image(of: content.userInfo)
        else { return delivery.deliver() }
        let fetch = NotificationImageFetch(url: image, platform: container.platform, downloads: downloads)
        container.platform.executors.start {
            await fetch.run { file in
                container.platform.executors.main.enqueue {
                    container.run {
                        if let file { fetch.attach(file) { path in try delivery.attach(path) } }
                        delivery.deliver()
                    }
                }
            }
        }
    }

    /// Reports that the message reached the device: for Google's BigQuery export, or to the app's own server.
    ///
    /// The report waits on disk until the server has it.
    ///
    /// - Parameter info: The payload. Nothing is reported without the names of sender, message and installation that
    ///   the server writes into it.
    public func exportDeliveryMetricsToBigQuery(withMessageInfo info: [AnyHashable: Any]) {
        guard let container else { return }
        let message = ReceivedMessage(info)
        do throws(MessageEvent.Missing) {
            let event = try MessageEvent(.delivered, of: message, appInfo: container.platform.appInfo)
            EventOutbox.of(container).add(event)
        } catch {
            container.log.error("I-FCM020010", "The delivery is not reported: the payload has no \(error.key).")
        }
    }

    private func image(of userInfo: [AnyHashable: Any]) -> String? {
        switch NotificationImage(ReceivedMessage(userInfo)) {
        case .none: return nil
        case .url(let url): return url
        case .unusable:
            container?.log.error("I-FCM020000", "fcm_options.image is no http or https URL.")
            return nil
        }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The name under which Swift knows the official SDK's class.
public typealias FIRMessagingExtensionHelper = MessagingExtensionHelper

extension Messaging {
    /// The helper of a notification service extension.
    public static func serviceExtension() -> MessagingExtensionHelper { MessagingExtensionHelper() }

    /// The Objective-C name of `serviceExtension()`.
    public static func extensionHelper() -> MessagingExtensionHelper { serviceExtension() }
}
