/// Collects output during one round of a loop and sends it at the end, with one system call for many answers.
public protocol BatchFlushing: AnyObject {
    func flushBatch()
}
