#if canImport(Darwin)
    import FirebasePlatform
    import Foundation
    import Security

    /// Generic passwords of the data-protection keychain: readable after the first unlock, and on this device alone.
    struct KeychainStore: SecureStore {
        /// `nil`: the first group of the app's entitlements.
        let accessGroup: String?

        func read(_ key: SecureItemKey) throws(SecureStoreError) -> [UInt8]? {
            var query = query(for: key)
            query[kSecReturnData as String] = true
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            return try copy(query).flatMap { $0 as? Data }.map(Array.init)
        }

        /// Updates before it adds: an end of the process in between leaves the old item.
        func write(_ bytes: [UInt8], for key: SecureItemKey) throws(SecureStoreError) {
            let query = query(for: key)
            let value = [kSecValueData as String: Data(bytes)]
            if try KeychainOutcome.isFound(SecItemUpdate(query as CFDictionary, value as CFDictionary)) { return }
            var item = query
            item[kSecValueData as String] = Data(bytes)
            item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            let status = SecItemAdd(item as CFDictionary, nil)
            guard status != KeychainOutcome.success else { return }
            throw SecureStoreError(status: Int(status))
        }

        func remove(_ key: SecureItemKey) throws(SecureStoreError) {
            _ = try KeychainOutcome.isFound(SecItemDelete(query(for: key) as CFDictionary))
        }

        func services(generic: String, account: String) throws(SecureStoreError) -> [String] {
            var query = query(generic: generic, account: account)
            query[kSecReturnAttributes as String] = true
            query[kSecMatchLimit as String] = kSecMatchLimitAll
            let items = try copy(query) as? [[String: Any]] ?? []
            return items.compactMap { $0[kSecAttrService as String] as? String }.sorted()
        }

        private func copy(_ query: [String: Any]) throws(SecureStoreError) -> CFTypeRef? {
            var result: CFTypeRef?
            let status = withUnsafeMutablePointer(to: &result) { SecItemCopyMatching(query as CFDictionary, $0) }
            return try KeychainOutcome.isFound(status) ? result : nil
        }

        private func query(for key: SecureItemKey) -> [String: Any] {
            var query = query(generic: key.generic, account: key.account)
            query[kSecAttrService as String] = key.service
            return query
        }

        private func query(generic: String, account: String) -> [String: Any] {
            var query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrGeneric as String: Data(generic.utf8),
                kSecAttrAccount as String: account,
                kSecUseDataProtectionKeychain as String: true,
            ]
            if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
            return query
        }
    }
#endif
