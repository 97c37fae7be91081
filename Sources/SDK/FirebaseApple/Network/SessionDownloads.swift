#if canImport(Darwin)
    import FirebasePlatform
    import Foundation
    import Synchronization

    /// Downloads of URLSession into the folder for temporary files.
    struct SessionDownloads: FileDownloads {
        func download(_ url: String, maximumBytes: Int) async throws(WebError) -> DownloadedFile {
            guard let url = URL(string: url) else { throw .badURL }
            let download = SessionDownload(maximumBytes: maximumBytes)
            do {
                return try await withTaskCancellationHandler {
                    try await withCheckedThrowingContinuation { download.start(url, $0) }
                } onCancel: {
                    download.cancel()
                }
            } catch {
                throw WebError(system: error)
            }
        }

        func rename(_ path: String, fileExtension: String) throws(FileStoreError) -> String {
            let renamed = path + "." + fileExtension
            do {
                try FileManager.default.moveItem(atPath: path, toPath: renamed)
            } catch {
                throw FileStoreError(reason: "\(error)")
            }
            return renamed
        }

        func remove(_ path: String) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// One download.
    private final class SessionDownload: Sendable {
        private struct State {
            var task: URLSessionDownloadTask?
            var size: Kept?
            var isTooLarge = false
            var isCancelled = false
        }

        /// Sendable because nobody does anything with it but let it go.
        private struct Kept: @unchecked Sendable {
            let observation: NSKeyValueObservation
        }

        private let maximumBytes: Int
        private let state = Mutex(State())

        init(maximumBytes: Int) {
            self.maximumBytes = maximumBytes
        }

        func start(_ url: URL, _ continuation: CheckedContinuation<DownloadedFile, any Error>) {
            let task = URLSession.shared.downloadTask(with: url) { [self] file, response, error in
                continuation.resume(with: Result { try finish(file, response, error) })
            }
            let size = Kept(
                observation: task.observe(\.countOfBytesReceived) { [self] task, _ in
                    guard task.countOfBytesReceived > Int64(maximumBytes) else { return }
                    state.withLock { $0.isTooLarge = true }
                    task.cancel()
                })
            let isCancelled = state.withLock { state in
                state.task = task
                state.size = size
                return state.isCancelled
            }
            task.resume()
            if isCancelled { task.cancel() }
        }

        func cancel() {
            let task = state.withLock { state in
                state.isCancelled = true
                return state.task
            }
            task?.cancel()
        }

        /// The system removes its file when this returns, so it is moved.
        private func finish(_ file: URL?, _ response: URLResponse?, _ error: (any Error)?) throws -> DownloadedFile {
            let isTooLarge = state.withLock { state in
                state.task = nil
                state.size = nil
                return state.isTooLarge
            }
            if isTooLarge { throw WebError.dataLengthExceedsMaximum }
            if let error { throw error }
            guard let file, let response = response as? HTTPURLResponse else { throw WebError.badServerResponse }
            let kept = FileManager.default.temporaryDirectory.appendingPathComponent("firebase-\(UUID().uuidString)")
            try FileManager.default.moveItem(at: file, to: kept)
            return DownloadedFile(
                path: kept.path, status: response.statusCode, mimeType: response.mimeType?.lowercased(),
                suggestedName: response.suggestedFilename)
        }
    }
#endif
