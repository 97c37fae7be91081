import FirebasePlatform
import Synchronization

/// The stored registrations of one app, with a cache in front that also remembers absence.
final class TokenStore: Sendable {
    static let generic = "com.google.iid-tokens"
    private let store: any SecureStore
    private let account: String
    private let cache = Mutex<[String: TokenRecord?]>([:])

    init(store: any SecureStore, account: String) {
        self.store = store
        self.account = account
    }

    /// - Returns: `nil` when there is none. A store that cannot be read (a locked device) throws, and is asked again.
    func record(_ key: TokenRecord.Key) throws(SecureStoreError) -> TokenRecord? {
        try cache.withLock { cache throws(SecureStoreError) in
            if let known = cache[key.service] { return known }
            let record = try store.read(item(key.service)).flatMap(TokenRecord.init(stored:))
            cache[key.service] = .some(record)
            return record
        }
    }

    /// Every stored registration. Asks the store, not the cache.
    func all() throws(SecureStoreError) -> [TokenRecord] {
        var records: [TokenRecord] = []
        for service in try store.services(generic: Self.generic, account: account) {
            guard let bytes = try store.read(item(service)), let record = TokenRecord(stored: bytes) else { continue }
            records.append(record)
        }
        return records
    }

    func save(_ record: TokenRecord) throws(SecureStoreError) {
        try cache.withLock { cache throws(SecureStoreError) in
            cache[record.key.service] = nil
            try store.write(record.stored, for: item(record.key.service))
            cache[record.key.service] = record
        }
    }

    func remove(_ key: TokenRecord.Key) throws(SecureStoreError) {
        try cache.withLock { cache throws(SecureStoreError) in
            cache[key.service] = .some(nil)
            try store.remove(item(key.service))
        }
    }

    func removeAll() throws(SecureStoreError) {
        for service in try store.services(generic: Self.generic, account: account) {
            try cache.withLock { cache throws(SecureStoreError) in
                cache[service] = .some(nil)
                try store.remove(item(service))
            }
        }
        cache.withLock { $0 = [:] }
    }

    private func item(_ service: String) -> SecureItemKey {
        SecureItemKey(generic: Self.generic, service: service, account: account)
    }
}
