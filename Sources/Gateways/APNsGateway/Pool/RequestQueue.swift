/// Pushes that wait for a stream, first in, first out; those that had one already go before the others.
struct RequestQueue {
    private static let compactionCount = 4_096

    private var again: [PushRequest] = []
    private var waiting: [PushRequest] = []
    private var head = 0

    var count: Int { again.count + waiting.count - head }
    var isEmpty: Bool { count == 0 }
    var first: PushRequest? {
        again.isEmpty ? (head < waiting.count ? waiting[head] : nil) : again.last
    }

    mutating func append(_ requests: [PushRequest]) {
        waiting += requests
    }

    /// Puts a request before all others.
    mutating func putBack(_ request: PushRequest) {
        again.append(request)
    }

    mutating func removeFirst() {
        guard again.isEmpty else {
            again.removeLast()
            return
        }
        guard head < waiting.count else { return }
        head += 1
        if head == waiting.count {
            waiting.removeAll(keepingCapacity: head <= Self.compactionCount)
            head = 0
        } else if head >= Self.compactionCount, head * 2 >= waiting.count {
            waiting.removeFirst(head)
            head = 0
        }
    }

    mutating func removeAll() -> [PushRequest] {
        defer { self = RequestQueue() }
        return again.reversed() + waiting[head...]
    }
}
