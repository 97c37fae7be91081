import Bytes
import PropertyTesting
import Testing

@Suite struct `Hexadecimal` {
    @Test func `writes lower case and reads both`() {
        #expect(Hex.encode([0x00, 0x9F, 0xAB]) == "009fab")
        #expect(Hex.decode("009FaB") == [0x00, 0x9F, 0xAB])
        #expect(Hex.decode("") == [])
    }

    @Test(arguments: ["0", "0g", " 00", "0x00", "0 ", "é0", "00\n", "-1"])
    func `refuses odd lengths and other characters`(text: String) {
        #expect(Hex.decode(text) == nil)
    }

    @Test func `gives back any bytes`() {
        var generator = SeededGenerator(seed: 10)
        for count in 0..<100 {
            let bytes = generator.bytes(count)
            #expect(Hex.decode(Hex.encode(bytes)) == bytes)
        }
    }
}
