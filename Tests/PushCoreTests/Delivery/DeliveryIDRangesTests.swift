import PushModel
import Testing

@testable import PushCore

@Suite struct `Delivery id ranges` {
    @Test(arguments: 1...20) func `behave like a set`(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        var ranges = DeliveryIDRanges()
        var model = Set<Int64>()
        for _ in 0..<400 {
            let value = Int64.random(in: 1...60, using: &random)
            if Int.random(in: 0..<8, using: &random) == 0 {
                ranges.remove(through: DeliveryID(value: value))
                model = model.filter { $0 > value }
            } else {
                ranges.insert(DeliveryID(value: value))
                model.insert(value)
            }
            #expect((0...61).allSatisfy { ranges.contains(DeliveryID(value: $0)) == model.contains($0) })
            #expect(ranges.first?.value == model.min() && ranges.last?.value == model.max())
            let starts = model.filter { !model.contains($0 - 1) }
            #expect(ranges.rangeCount == starts.count)
        }
    }
}

/// The same numbers in each run. Source: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
