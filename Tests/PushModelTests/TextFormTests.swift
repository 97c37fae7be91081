import PushModel
import Testing

@Suite struct `Names in requests` {
    @Test(arguments: ["a", "news", "sport%7Cbaseball", "A-b_c.d~e%9", String(repeating: "x", count: 900)])
    func `may be topics`(text: String) {
        #expect(TopicName(text)?.text == text)
    }

    @Test(arguments: [
        "", " ", "a b", "/topics/a", "a/b", "новости", "é", "a\n", "a\u{0}", "#a", "a+b",
        String(repeating: "x", count: 901),
    ]) func `may be no topics`(text: String) {
        #expect(TopicName(text) == nil)
    }

    @Test(arguments: ["a", "spring_sale", "A-b_c.d~e%9", String(repeating: "x", count: 50)])
    func `may be labels`(text: String) {
        #expect(AnalyticsLabel(text)?.text == text)
    }

    @Test(arguments: ["", "a b", "é", "a/b", String(repeating: "x", count: 51)])
    func `may be no labels`(text: String) {
        #expect(AnalyticsLabel(text) == nil)
    }

    @Test(arguments: ["cSNFZ4mrze8BI0VniavN7w", "fSNFZ4mrze8BI0Vniav-_w", "dSNFZ4mrze8"])
    func `may be installation ids`(text: String) {
        #expect(FirebaseInstallationID(text)?.text == text)
    }

    @Test(arguments: [
        "", "aSNFZ4mrze8BI0VniavN7w", "gSNFZ4mrze8BI0VniavN7w", "cSNFZ4mrze8BI0VniavN7", "cSNFZ4mrze8BI0VniavN7w=",
        "cSNFZ4mrze8BI0Vniav+/w", "eé",
    ])
    func `may be no installation ids`(text: String) {
        #expect(FirebaseInstallationID(text) == nil)
    }

    @Test(arguments: ["demo-kitchen", "abc123", "a-1-b-2", String(repeating: "a", count: 30)])
    func `may be projects`(text: String) {
        #expect(ProjectID(text)?.text == text)
        #expect(ProjectNumber(text) == nil)
    }

    @Test(arguments: [
        "", "abc", "1abcde", "abcde-", "Abcdef", "abc_def", "abc.def", String(repeating: "a", count: 31), "проект",
    ])
    func `may be no projects`(text: String) {
        #expect(ProjectID(text) == nil)
    }

    @Test(arguments: ["", "0", "012345678901", "12a", "-1", "+1", "18446744073709551616", "１２"])
    func `may be no project numbers`(text: String) {
        #expect(ProjectNumber(text) == nil)
    }
}

@Suite struct `Time to live` {
    @Test(arguments: [0, 1, 2_419_200] as [Int64]) func `is up to four weeks`(seconds: Int64) {
        #expect(TimeToLive(seconds: seconds)?.seconds == seconds)
    }

    @Test(arguments: [-1, 2_419_201, .max, .min] as [Int64]) func `is no less and no more`(seconds: Int64) {
        #expect(TimeToLive(seconds: seconds) == nil)
    }
}
