import PushCore
import Reports
import Synchronization

/// Where an export is. The server asks for one piece after the other.
final class ExportCursor: Sendable {
    private enum Place {
        case next(ExportPlace?)
        case end
    }

    private let place = Mutex(Place.next(nil))

    /// The next events; `nil` at the end, or when the store fails: the file ends there then.
    func page(of query: ExportQuery, in store: any ReportStore, limit: Int) -> [ExportedEvent]? {
        guard case .next(let after) = place.withLock({ $0 }),
            let page = try? store.exportedEvents(query, after: after, limit: limit)
        else { return nil }
        place.withLock { $0 = page.next.map { .next($0) } ?? .end }
        return page.events
    }
}
