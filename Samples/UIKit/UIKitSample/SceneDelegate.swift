import UIKit

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = EventViewController()
        window.makeKeyAndVisible()
        self.window = window
    }

    /// Links of messages (`gcm.app_link`) come here, as universal links do.
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        EventLog.shared.note("Link: \(userActivity.webpageURL?.absoluteString ?? "none")")
    }
}
