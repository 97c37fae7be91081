package import FirebasePlatform

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Files under one folder. They carry no data protection, so that a locked device can read them, and stay out of backups.
package struct SupportFiles: FileStore {
    private let folder: URL

    package init(folder: URL) {
        self.folder = folder
    }

    #if canImport(Darwin)
        /// The folder for files that users never see. Televisions keep only caches.
        static func ofThisApp() -> SupportFiles {
            #if os(tvOS)
                let directory = FileManager.SearchPathDirectory.cachesDirectory
            #else
                let directory = FileManager.SearchPathDirectory.applicationSupportDirectory
            #endif
            let folder = FileManager.default.urls(for: directory, in: .userDomainMask).first
            return SupportFiles(folder: folder ?? FileManager.default.temporaryDirectory)
        }
    #endif

    package func read(_ path: String) throws(FileStoreError) -> [UInt8]? {
        let url = try url(of: path)
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try reporting { Array(try Data(contentsOf: url)) }
    }

    package func write(_ bytes: [UInt8], to path: String) throws(FileStoreError) {
        let url = try url(of: path)
        try reporting {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            #if canImport(Darwin)
                try Data(bytes).write(to: url, options: [.atomic, .noFileProtection])
                try excludeFromBackup(url)
            #else
                try Data(bytes).write(to: url, options: .atomic)
            #endif
        }
    }

    package func remove(_ path: String) throws(FileStoreError) {
        let url = try url(of: path)
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        try reporting { try FileManager.default.removeItem(at: url) }
    }

    #if canImport(Darwin)
        private func excludeFromBackup(_ url: URL) throws {
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            var url = url
            try url.setResourceValues(values)
        }
    #endif

    private func url(of path: String) throws(FileStoreError) -> URL {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        guard names.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
            throw FileStoreError(reason: "The path \(path) leaves its folder.")
        }
        return names.reduce(folder) { $0.appendingPathComponent(String($1)) }
    }

    private func reporting<Result>(_ work: () throws -> Result) throws(FileStoreError) -> Result {
        do { return try work() } catch { throw FileStoreError(reason: "\(error)") }
    }
}
