import PushModel

/// A set of delivery ids that are mostly neighbours, kept as ranges: a million waiting deliveries cost a few words.
struct DeliveryIDRanges: Sendable {
    /// In ascending order, with gaps between them.
    private var ranges: [ClosedRange<Int64>] = []

    init() {}

    /// Every id up to and including the last.
    init(through last: DeliveryID) {
        if last.value >= 1 { ranges = [1...last.value] }
    }

    var isEmpty: Bool { ranges.isEmpty }
    var first: DeliveryID? { ranges.first.map { DeliveryID(value: $0.lowerBound) } }
    var last: DeliveryID? { ranges.last.map { DeliveryID(value: $0.upperBound) } }
    var rangeCount: Int { ranges.count }

    func contains(_ id: DeliveryID) -> Bool {
        let place = place(of: id.value)
        return place < ranges.count && ranges[place].contains(id.value)
    }

    mutating func insert(_ id: DeliveryID) {
        let value = id.value
        let place = place(of: value)
        if place < ranges.count, ranges[place].contains(value) { return }
        let joinsLeft = place > 0 && ranges[place - 1].upperBound == value &- 1
        let joinsRight = place < ranges.count && ranges[place].lowerBound == value &+ 1
        switch (joinsLeft, joinsRight) {
        case (true, true):
            ranges[place - 1] = ranges[place - 1].lowerBound...ranges[place].upperBound
            ranges.remove(at: place)
        case (true, false): ranges[place - 1] = ranges[place - 1].lowerBound...value
        case (false, true): ranges[place] = value...ranges[place].upperBound
        case (false, false): ranges.insert(value...value, at: place)
        }
    }

    /// Takes away every id up to and including the last.
    mutating func remove(through last: DeliveryID) {
        let place = place(of: last.value)
        if place < ranges.count, ranges[place].lowerBound <= last.value {
            if ranges[place].upperBound > last.value {
                ranges[place] = (last.value + 1)...ranges[place].upperBound
                ranges.removeFirst(place)
            } else {
                ranges.removeFirst(place + 1)
            }
        } else {
            ranges.removeFirst(place)
        }
    }

    /// The first range that does not end before the value.
    private func place(of value: Int64) -> Int {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
