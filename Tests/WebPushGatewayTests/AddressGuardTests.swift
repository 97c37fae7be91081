import HTTPSemantics
import Testing

@testable import WebPushGateway

@Suite struct `Addresses that endpoints may lead to` {
    static let global = [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.1",
        "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.88.98.0",
        "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.0", "203.0.112.0",
        "223.255.255.255",
        "168.63.129.15", "2606:4700:4700::1111", "2001:4860:4860::8888", "2001:200::1", "2003::1", "2a00:1450::1",
        "3ffe::1", "64:ff9b::8.8.8.8", "::ffff:8.8.8.8", "2620:0:ccc::2",
    ]

    static let special = [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255",
        "127.0.0.1", "127.255.255.254", "168.63.129.16", "169.254.0.1", "169.254.169.254", "172.16.0.1",
        "172.31.255.255",
        "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1",
        "198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
        "::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
        "::ffff:0:8.8.8.8", "64:ff9b::127.0.0.1", "64:ff9b::a00:1", "64:ff9b::169.254.169.254", "64:ff9b:1::8.8.8.8",
        "100::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:2::1", "2001:10::1", "2001:20::1",
        "2001:1ff::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::1", "3fff::1", "3fff:fff::1", "4000::1",
        "5f00::1",
        "fc00::1", "fd00:ec2::254", "fdff::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "ff0e::1",
    ]

    static let noAddresses = [
        "", " ", "localhost", "example.com", "1.2.3", "127.1", "0x7f.0.0.1", "0177.0.0.1", "2130706433", "8.8.8.8 ",
        " 8.8.8.8",
        "8.8.8.8:80", "256.1.1.1", "1.1.1.1.1", "[2a00::1]", "2a00::1%eth0", "fe80::1%1", "2a00:::1", "2a00::1::1",
        "g::1",
        "8.8.8.8\u{0}", "٨.8.8.8",
    ]

    @Test(arguments: global) func `are those that anybody can reach`(address: String) {
        #expect(AddressGuard(.global).allows(address))
        #expect(AddressGuard(.globalAndLoopback).allows(address))
        #expect(!AddressGuard(.loopback).allows(address))
    }

    @Test(arguments: special) func `are none of this machine, its network or anything special`(address: String) {
        #expect(!AddressGuard(.global).allows(address))
        let isLoopback = address.hasPrefix("127.") || address == "::1"
        #expect(AddressGuard(.globalAndLoopback).allows(address) == isLoopback)
        #expect(AddressGuard(.loopback).allows(address) == isLoopback)
    }

    @Test(arguments: noAddresses) func `are written in the standard form`(text: String) {
        for reach in [AddressGuard.Reach.global, .globalAndLoopback, .loopback] {
            #expect(!AddressGuard(reach).allows(text))
        }
    }

    @Test func `have the bounds of their blocks to the bit`() {
        let rows: [(AddressBlock, [UInt8], Bool)] = [
            (AddressBlock([], 0), [1, 2, 3, 4], true), (AddressBlock([10], 8), [10, 0, 0, 0], true),
            (AddressBlock([10], 8), [11, 0, 0, 0], false), (AddressBlock([172, 16], 12), [172, 31, 1, 1], true),
            (AddressBlock([172, 16], 12), [172, 32, 1, 1], false), (AddressBlock([128], 1), [255, 0, 0, 0], true),
            (AddressBlock([128], 1), [127, 255, 255, 255], false),
            (AddressBlock([1, 2, 3, 4], 32), [1, 2, 3, 4], true),
            (AddressBlock([1, 2, 3, 4], 32), [1, 2, 3, 5], false),
            (AddressBlock([1, 2, 3, 4, 5], 40), [1, 2, 3, 4], false),
        ]
        for row in rows { #expect(row.0.contains(row.1) == row.2) }
    }
}
