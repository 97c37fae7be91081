import Bytes
import Crypto
import WebPushWire

/// Keys and salt of RFC 8291 §5.
enum Vectors {
    static let receiverPrivate = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
    static let receiverPublic =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    static let auth = "BTBZMqHH6r4Tts7J_aSIgg"
    static let senderPrivate = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    static let senderPublic =
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    static let salt = "DGv6ra1nlYgDCS1FRnbzlw"

    static func bytes(_ text: String) -> [UInt8] { Base64URL.decode(text) ?? [] }

    static func receiver() throws -> WebPushReceiver {
        try WebPushReceiver(privateKey: P256PrivateKey(scalar: bytes(receiverPrivate)), auth: bytes(auth))
    }

    /// A sealer that always takes the ephemeral key and the salt of the RFC.
    static func sealer() throws -> WebPushSealer {
        let key = try P256PrivateKey(scalar: bytes(senderPrivate))
        return WebPushSealer(newKey: { () throws(CryptoError) in key }, newSalt: { bytes(salt) })
    }
}
