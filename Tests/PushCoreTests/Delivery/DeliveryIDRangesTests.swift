import PropertyTesting
import PushModel
import Testing

@testable import PushCore

@Suite struct `Delivery id ranges` {
    @Test(arguments: 1...20) func `behave like a set`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
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
