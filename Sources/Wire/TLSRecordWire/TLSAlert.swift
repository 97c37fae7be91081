/// Why a connection ends, as TLS names it. Source: RFC 8446 §6.
public enum TLSAlert: UInt8, Error, Sendable {
    case closeNotify = 0
    case unexpectedMessage = 10
    case badRecordMAC = 20
    case recordOverflow = 22
    case illegalParameter = 47
    case decodeError = 50
    case internalError = 80
    case userCanceled = 90
}

extension TLSAlert: CustomStringConvertible {
    public var description: String {
        switch self {
        case .closeNotify: "close notify"
        case .unexpectedMessage: "unexpected message"
        case .badRecordMAC: "bad record mac"
        case .recordOverflow: "record overflow"
        case .illegalParameter: "illegal parameter"
        case .decodeError: "decode error"
        case .internalError: "internal error"
        case .userCanceled: "user canceled"
        }
    }
}
