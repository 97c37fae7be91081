import PushCore
import PushModel
import Synchronization

/// The texts behind numbers of `TextTable`, for readers. Texts never change and are never deleted, so an answer stays
/// true.
final class TextCache: Sendable {
    private struct State {
        var texts: [Int64: String] = [:]
        var apps: [Int64: AppID] = [:]
    }

    private static let maximumRemembered = 20_000

    private let state = Mutex(State())

    func text(_ id: Int64, on connection: Connection) throws(StoreError) -> String {
        if id == 0 { return "" }
        if let text = state.withLock({ $0.texts[id] }) { return text }
        guard let text = try connection.first("SELECT text FROM texts WHERE id = ?", id, read: { $0.text(0) }) else {
            throw .damaged("a reference to a text that is missing")
        }
        state.withLock { state in
            if state.texts.count >= Self.maximumRemembered { state.texts.removeAll() }
            state.texts[id] = text
        }
        return text
    }

    func app(_ id: Int64, on connection: Connection) throws(StoreError) -> AppID? {
        if id == 0 { return nil }
        if let app = state.withLock({ $0.apps[id] }) { return app }
        guard let app = AppID(try text(id, on: connection)) else { throw .damaged("an app id") }
        state.withLock { state in
            if state.apps.count >= Self.maximumRemembered { state.apps.removeAll() }
            state.apps[id] = app
        }
        return app
    }
}
