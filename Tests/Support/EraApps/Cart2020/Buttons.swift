import Firebase
import UIKit

/// What the buttons of the app do. Each is a link `cart://<button>/<word>`.
extension AppDelegate {
    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool {
        let word = url.lastPathComponent
        switch url.host {
        case "agree": agree(app)
        case "alerts": app.registerForRemoteNotifications()
        case "token": fetchToken()
        case "identify": identify()
        case "join": Messaging.messaging().subscribe(toTopic: word) { tell("joined \(word)", $0) }
        case "leave": Messaging.messaging().unsubscribe(fromTopic: word) { tell("left \(word)", $0) }
        case "order": order(word, lasting: 3600)
        case "order-now": order(word, lasting: 0)
        case "order-for-nobody": send(["cart": word], to: "", id: "order-" + word, lasting: 60)
        case "order-for-group":
            send(["basket": word], to: url.query(percentEncoded: false) ?? "", id: "order-" + word, lasting: 3600)
        case "stay-away": Messaging.messaging().shouldEstablishDirectChannel = false
        case "come-back": Messaging.messaging().shouldEstablishDirectChannel = true
        default: return false
        }
        return true
    }

    private func agree(_ app: UIApplication) {
        Messaging.messaging().autoInitEnabled = true
        app.registerForRemoteNotifications()
    }

    private func fetchToken() {
        InstanceID.instanceID().instanceID { result, error in
            tell("instance \(result?.instanceID ?? "none") token \(result?.token ?? "none")", error)
        }
    }

    /// A token without APNs: an app that wants data only while it is open needs no device token.
    private func identify() {
        guard let sender = FirebaseApp.app()?.options.gcmSenderID else { return }
        InstanceID.instanceID().token(withAuthorizedEntity: sender, scope: "*") { token, error in
            tell("identified \(token ?? "none")", error)
        }
    }

    private func order(_ word: String, lasting seconds: Int64) {
        guard let sender = FirebaseApp.app()?.options.gcmSenderID else { return }
        send(["cart": word, "count": 2], to: sender + "@gcm.googleapis.com", id: "order-" + word, lasting: seconds)
    }

    private func send(_ message: [AnyHashable: Any], to receiver: String, id: String, lasting seconds: Int64) {
        Messaging.messaging().sendMessage(message, to: receiver, withMessageID: id, timeToLive: seconds)
    }
}

private func tell(_ done: String, _ error: (any Error)?) {
    print(error.map { "failed: \(done): \($0)" } ?? done)
}
