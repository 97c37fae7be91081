import Bytes
import Crypto

/// The text of a legacy server key: `AAAA…:APA91b…`, 152 characters.
public enum ServerKeyText {
    private static let firstCharacters = 11
    private static let length = 152

    /// A key that nobody can guess: more than 128 random bytes.
    public static func generate() -> String {
        let first = "AAAA" + Base64URL.encode(SecureRandom.bytes(8)).prefix(firstCharacters - 4)
        let second = "APA91b" + Base64URL.encode(SecureRandom.bytes(128))
        return String((first + ":" + second).prefix(length))
    }
}
