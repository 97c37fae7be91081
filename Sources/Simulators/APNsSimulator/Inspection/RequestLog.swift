import Timekeeping

/// The latest requests and connections, within bounds, and counts of everything.
struct RequestLog {
    private(set) var requests: [RequestRecord] = []
    private(set) var connections: [ConnectionRecord] = []
    private(set) var requestCount = 0
    private(set) var connectionCount = 0
    /// Answers by reason; accepted pushes count under `Accepted`, the unanswered under what happened instead.
    private(set) var counts: [String: Int] = [:]
    private let capacity: Int
    /// Connections opened before the last reset.
    private var earlierConnections = 0

    /// - Parameter capacity: How many requests, and how many connections, are kept.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// Forgets everything; numbers go on, so that they stay unique.
    mutating func removeAll() {
        var fresh = RequestLog(capacity: capacity)
        fresh.requestCount = requestCount
        fresh.connectionCount = connectionCount
        fresh.earlierConnections = connectionCount
        self = fresh
    }

    // MARK: Requests

    mutating func nextRequestNumber() -> Int {
        requestCount += 1
        return requestCount
    }

    mutating func append(_ record: RequestRecord) {
        requests.append(record)
        if requests.count > 2 * capacity { requests.removeFirst(requests.count - capacity) }
        count(record)
    }

    /// Notes when a delayed answer went out.
    mutating func noteAnswer(of number: Int, at time: Timestamp) {
        guard let index = index(of: number, in: requests, by: \.number) else { return }
        requests[index].answeredAt = time
    }

    private mutating func count(_ record: RequestRecord) {
        let name =
            switch record.outcome {
            case .accepted: "Accepted"
            case .channel: "Channel"
            case .unanswered(let what): what
            default: record.reason ?? "Status\(record.status ?? 0)"
            }
        counts[name, default: 0] += 1
    }

    // MARK: Connections

    mutating func nextConnectionNumber() -> Int {
        connectionCount += 1
        return connectionCount
    }

    /// Place of a connection among those since the last reset, from 1; lower for older ones.
    func ordinal(ofConnection number: Int) -> Int {
        number - earlierConnections
    }

    mutating func append(_ record: ConnectionRecord) {
        connections.append(record)
        if connections.count > 2 * capacity { connections.removeFirst(connections.count - capacity) }
    }

    mutating func change(connection number: Int, _ change: (inout ConnectionRecord) -> Void) {
        guard let index = index(of: number, in: connections, by: \.number) else { return }
        change(&connections[index])
    }

    /// Numbers rise by one at a time, though not all need be there.
    private func index<Record>(of number: Int, in records: [Record], by key: KeyPath<Record, Int>) -> Int? {
        records.lastIndex { $0[keyPath: key] == number }
    }
}
