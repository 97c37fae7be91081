/// The pending timers of a loop, the earliest at hand. Adding and removing cost O(log n).
struct TimerHeap {
    private var entries: [ScheduledTimer] = []

    var first: ScheduledTimer? { entries.first }
    var count: Int { entries.count }

    mutating func insert(_ timer: ScheduledTimer) {
        entries.append(timer)
        timer.heapIndex = entries.count - 1
        rise(entries.count - 1)
    }

    /// No effect on a timer that is not in the heap.
    mutating func remove(_ timer: ScheduledTimer) {
        guard let index = timer.heapIndex else { return }
        let last = entries.count - 1
        swap(index, last)
        entries.removeLast()
        timer.heapIndex = nil
        guard index < last else { return }
        rise(index)
        sink(index)
    }

    /// Takes out the first timer if its time has come.
    mutating func popDue(at now: MonotonicTime) -> ScheduledTimer? {
        guard let timer = entries.first, timer.deadline <= now else { return nil }
        remove(timer)
        return timer
    }

    private mutating func rise(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard ScheduledTimer.precedes(entries[index], entries[parent]) else { return }
            swap(index, parent)
            index = parent
        }
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in (2 * index + 1)...(2 * index + 2) where child < entries.count {
                if ScheduledTimer.precedes(entries[child], entries[least]) { least = child }
            }
            guard least != index else { return }
            swap(index, least)
            index = least
        }
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        guard left != right else { return }
        entries.swapAt(left, right)
        entries[left].heapIndex = left
        entries[right].heapIndex = right
    }
}
