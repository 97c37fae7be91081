import PropertyTesting
import PushCore
import PushModel
import Testing

@Suite struct `Notification keys` {
    static let codec = DeviceGroupKeyCodec(sealing: TestSealing.make())
    static let project = ProjectNumber(value: 123_456_789_012)

    @Test func `name their group and look like the tokens of old`() throws {
        let key = Self.codec.key(of: DeviceGroupID(value: 77), in: Self.project)
        #expect(key.hasPrefix("APA91b"))
        #expect(key.utf8.count == 136)
        #expect(key == Self.codec.key(of: DeviceGroupID(value: 77), in: Self.project))
        let content = try #require(Self.codec.decode(key))
        #expect(content.group.value == 77)
        #expect(content.project == Self.project)
    }

    @Test func `are never taken for registration tokens, nor these for them`() {
        let tokens = RegistrationTokenCodec(sealing: TestSealing.make())
        let token = tokens.encode(
            RegistrationTokenContent(fid: "", registration: RegistrationID(value: 77), project: Self.project, nonce: 1))
        #expect(Self.codec.decode(token) == nil)
        #expect(tokens.decode(Self.codec.key(of: DeviceGroupID(value: 77), in: Self.project)) == nil)
    }

    @Test func `of another server are worthless`() {
        let key = Self.codec.key(of: DeviceGroupID(value: 1), in: Self.project)
        var sealing = TestSealing.make()
        sealing = Sealing(
            key: [9], mac: sealing.mac, digest: sealing.digest, isEqual: sealing.isEqual, random: sealing.random)
        #expect(DeviceGroupKeyCodec(sealing: sealing).decode(key) == nil)
    }

    @Test(arguments: [
        "", "APA91b", "a", String(repeating: "é", count: 68), "APA91b" + String(repeating: "A", count: 130),
    ])
    func `are nothing else`(text: String) {
        #expect(Self.codec.decode(text) == nil)
    }

    @Test func `with any fault are refused`() {
        let key = Self.codec.key(of: DeviceGroupID(value: 5), in: Self.project)
        var random = PropertyTesting.SeededGenerator(seed: 4)
        for _ in 0..<2_000 {
            let text = String(decoding: random.mutate(Array(key.utf8)), as: UTF8.self)
            if text != key { #expect(Self.codec.decode(text) == nil) }
        }
    }
}
