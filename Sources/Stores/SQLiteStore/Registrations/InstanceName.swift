import Bytes
import PushModel

/// The id of an app instance as it is stored: a FID as its bits, which take a quarter less room, any other text as it
/// is. SQLite keeps bytes and text apart, so neither can be taken for the other.
struct InstanceName: Equatable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    init(_ row: Row, column: Int32) {
        text = row.isBlob(column) ? Self.unpacked(row.blob(column)) : row.text(column)
    }

    /// 22 characters are 132 bits, 11 are 66: filled up to whole groups of base64url, less the bytes of the filling.
    var packed: [UInt8]? {
        guard let fid = FirebaseInstallationID(text) else { return nil }
        guard fid.isFull else { return Base64URL.decode(text + "A") }
        return Base64URL.decode(text + "AA")?.dropLast()
    }

    private static func unpacked(_ bytes: [UInt8]) -> String {
        let (encoded, characters) =
            bytes.count > 9 ? (Base64URL.encode(bytes + [0]), 22) : (Base64URL.encode(bytes), 11)
        // By bytes: counting characters costs more than the rest of reading a registration.
        return String(decoding: encoded.utf8.prefix(characters), as: UTF8.self)
    }
}

extension InstanceName: SQLiteValue {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        packed?.bind(to: statement, at: place) ?? text.bind(to: statement, at: place)
    }
}
