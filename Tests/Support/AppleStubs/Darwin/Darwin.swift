// The part of Apple's C library that the SDK uses. Bodies are never compiled.

@discardableResult
public func sysctlbyname(
    _ name: UnsafePointer<CChar>?, _ old: UnsafeMutableRawPointer?, _ oldSize: UnsafeMutablePointer<Int>?,
    _ new: UnsafeMutableRawPointer?, _ newSize: Int
) -> Int32 { fatalError() }
