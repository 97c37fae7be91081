import FirebaseMessaging
import Observation
import SwiftUI

/// What happened, newest first.
@MainActor @Observable
final class Inbox {
    static let shared = Inbox()
    private(set) var lines: [String] = []

    func note(_ line: String) {
        lines.insert(line, at: 0)
    }

    func subscribe(to topic: String) async {
        do {
            try await Messaging.messaging().subscribe(toTopic: topic)
            note("Subscribed to \(topic)")
        } catch {
            note("Not subscribed to \(topic): \(error.localizedDescription)")
        }
    }
}

struct InboxView: View {
    let inbox: Inbox

    var body: some View {
        List {
            Section("Topics") {
                Button("Subscribe to news") { Task { await inbox.subscribe(to: "news") } }
            }
            Section("Events") {
                ForEach(inbox.lines, id: \.self) { Text($0) }
            }
        }
    }
}
