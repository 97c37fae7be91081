/// The first byte in `range` that does not belong to a well-formed character. Source: RFC 3629 §4.
func firstInvalidUTF8(in text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
    var position = range.lowerBound
    while position < range.upperBound {
        guard text[position] >= 0x80 else {
            position += 1
            continue
        }
        guard let length = sequenceLength(in: text, position..<range.upperBound) else { return position }
        position += length
    }
    return nil
}

/// The length of the well-formed multi-byte character at the start of `range`, or `nil`.
private func sequenceLength(in text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
    let start = range.lowerBound
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch text[start] {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return nil
    }
    guard range.count >= length, second.contains(text[start + 1]) else { return nil }
    for position in start + 2..<start + max(length, 2) where text[position] & 0xC0 != 0x80 { return nil }
    return length
}
