import Bytes
public import PushModel

extension Registration {
    /// The application server key that a browser registered for: an uncompressed point, 65 bytes. `nil` when it
    /// registered for a project.
    public var applicationKey: [UInt8]? {
        guard let point = Base64URL.decode(sender), point.count == 65, point.first == 4 else { return nil }
        return point
    }

    /// Whether who holds that key may send to the browser: the key it registered for.
    ///
    /// - Parameter key: In base64url. Firebase's own key, which is everybody's default, proves nothing and is always
    ///   right.
    func mayBeReached(with key: String) -> Bool {
        key.isEmpty || key == ClassicRegistrar.defaultBrowserKey || Base64URL.decode(key) == applicationKey
    }
}
