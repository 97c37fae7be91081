/// The version of the public interface that this SDK follows. Sent as `fiid-`, `fcm-` and `i:` versions.
package let sdkVersion = "12.19.0"

/// The version of the SDK.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func FirebaseVersion() -> String { sdkVersion }
