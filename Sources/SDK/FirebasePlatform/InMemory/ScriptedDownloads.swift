import Synchronization

/// Downloads that a function answers. Files are names only.
public final class ScriptedDownloads: FileDownloads {
    public typealias Answer = @Sendable (_ url: String, _ maximumBytes: Int) async -> Result<DownloadedFile, WebError>

    private struct State {
        var urls: [String] = []
        var files: Set<String> = []
        var answer: Answer
        var renamingFails = false
    }

    private let state: Mutex<State>

    public init(answer: @escaping Answer = { _, _ in .failure(.notConnectedToInternet) }) {
        state = Mutex(State(answer: answer))
    }

    /// Answers with this function from now on.
    public func answers(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }

    /// Every URL asked for so far, oldest first.
    public var urls: [String] { state.withLock(\.urls) }

    /// The files that are on the disk now.
    public var files: Set<String> { state.withLock(\.files) }

    /// From now on files keep their names, as on a full disk.
    public func failRenaming() { state.withLock { $0.renamingFails = true } }

    public func download(_ url: String, maximumBytes: Int) async throws(WebError) -> DownloadedFile {
        let answer = state.withLock { state in
            state.urls.append(url)
            return state.answer
        }
        let file = try await answer(url, maximumBytes).get()
        state.withLock { _ = $0.files.insert(file.path) }
        return file
    }

    public func rename(_ path: String, fileExtension: String) throws(FileStoreError) -> String {
        let name = "\(path).\(fileExtension)"
        let isDone = state.withLock { state in
            guard !state.renamingFails, state.files.remove(path) != nil else { return false }
            state.files.insert(name)
            return true
        }
        guard isDone else { throw FileStoreError(reason: "The file could not be moved.") }
        return name
    }

    public func remove(_ path: String) {
        state.withLock { _ = $0.files.remove(path) }
    }
}
