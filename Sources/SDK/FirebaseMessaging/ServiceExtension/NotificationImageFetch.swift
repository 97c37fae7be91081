import FirebaseCore
import FirebasePlatform

/// Gets the image of one notification, within its time.
struct NotificationImageFetch: Sendable {
    let url: String
    let platform: Platform
    let downloads: any FileDownloads

    /// - Parameter done: Told once: the file, or `nil` when there is none. A download that goes on regardless does not
    ///   hold it up.
    func run(_ done: @Sendable (DownloadedFile?) -> Void) async {
        await withTaskGroup(of: DownloadedFile?.self) { group in
            group.addTask { await download() }
            group.addTask {
                guard (try? await platform.clock.sleep(seconds: MessagingExtensionHelper.imageTimeLimitSeconds)) != nil
                else { return nil }
                log("I-FCM020001", "The image is not there in time.")
                return nil
            }
            done(await group.next() ?? nil)
            group.cancelAll()
        }
    }

    private func download() async -> DownloadedFile? {
        do {
            let file = try await downloads.download(url, maximumBytes: MessagingExtensionHelper.maximumImageBytes)
            guard (200..<300).contains(file.status), !Task.isCancelled else {
                if !Task.isCancelled { log("I-FCM020001", "The server answered \(file.status) instead of the image.") }
                downloads.remove(file.path)
                return nil
            }
            return file
        } catch {
            if error != .cancelled { log("I-FCM020001", "The image could not be downloaded: \(error)") }
            return nil
        }
    }

    /// Gives the file the name that the system wants, and attaches it. What cannot be attached is removed.
    func attach(_ file: DownloadedFile, to attach: (String) throws -> Void) {
        var path = file.path
        do {
            if let ending = NotificationImage.fileExtension(of: file) {
                path = try downloads.rename(path, fileExtension: ending)
            }
        } catch {
            log("I-FCM020002", "The image could not be moved: \(error.reason)")
            return downloads.remove(path)
        }
        do {
            try attach(path)
        } catch {
            log("I-FCM020003", "The image could not be attached: \(error)")
            downloads.remove(path)
        }
    }

    private func log(_ code: String, _ text: String) {
        platform.log.log(.error, code: code, message: text)
    }
}
