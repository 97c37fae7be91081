// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The part of Apple's C library that the SDK uses. Bodies are never compiled.

@discardableResult
public func sysctlbyname(
    _ name: UnsafePointer<CChar>?, _ old: UnsafeMutableRawPointer?, _ oldSize: UnsafeMutablePointer<Int>?,
    _ new: UnsafeMutableRawPointer?, _ newSize: Int
) -> Int32 { fatalError() }

public enum POSIXErrorCode: Int32, Sendable {
    case ENETDOWN = 50
    case ENETUNREACH = 51
    case ETIMEDOUT = 60
    case ECONNREFUSED = 61
    case EHOSTUNREACH = 65
}
