import FirebaseCore
import FirebasePlatform
import Foundation
import MCSWire
import Testing

@testable import FirebaseMessaging

@Suite struct `Direct channel - when it is up` {
    @Test func `comes up when the app asks for it, is registered and in the foreground`() throws {
        let phone = try ChannelPhone()
        #expect(phone.attempts == 0)
        phone.calls.shouldEstablishDirectChannel = true
        phone.drain()
        let stream = try phone.channel().stream
        #expect(stream.host == "mtalk.google.com" && stream.port == 5228)
        #expect(!phone.isUp && phone.count(.directChannelChanged) == 0)
        try phone.acceptLogin()
        #expect(phone.isUp && phone.count(.directChannelChanged) == 1)
        let posted = phone.device.notifications.record.entries.first { $0.name == .directChannelChanged }
        #expect(posted?.object as? Messaging === phone.phone.messaging)
    }

    @Test func `follows the app between foreground and background`() throws {
        let phone = try ChannelPhone()
        let first = try phone.bringUp()
        _ = try first.packets()
        phone.move(to: .background)
        #expect(!phone.isUp && phone.count(.directChannelChanged) == 2)
        #expect(try first.packets().last == .close)
        #expect(first.stream.isClosedByClient)
        phone.move(to: .active)
        try phone.acceptLogin()
        #expect(phone.isUp && phone.count(.directChannelChanged) == 3)
    }

    @Test func `stays up while the app is merely inactive, as behind an alert`() throws {
        let phone = try ChannelPhone()
        try phone.bringUp()
        phone.device.executor.onMain { phone.device.appState.move(to: .inactive) }
        phone.drain()
        #expect(phone.isUp)
    }

    @Test func `waits in the background`() throws {
        let phone = try ChannelPhone(foreground: false)
        phone.calls.shouldEstablishDirectChannel = true
        phone.drain()
        #expect(phone.attempts == 0)
        phone.move(to: .active)
        #expect(phone.attempts == 1)
    }

    @Test func `waits for a registration and ends with it`() throws {
        let phone = try ChannelPhone(registers: false)
        phone.calls.shouldEstablishDirectChannel = true
        phone.drain()
        #expect(phone.attempts == 0)
        phone.phone.setAPNSToken()
        try phone.acceptLogin()
        #expect(phone.isUp)
        phone.phone.tokens.deleteToken { _ in }
        phone.drain()
        #expect(!phone.isUp)
    }

    @Test func `goes down when the app no longer wants it`() throws {
        let phone = try ChannelPhone()
        try phone.bringUp()
        phone.calls.shouldEstablishDirectChannel = false
        #expect(!phone.calls.shouldEstablishDirectChannel)
        phone.drain()
        #expect(!phone.isUp)
        phone.wait(seconds: 4000)
        #expect(phone.attempts == 1)
    }

    @Test func `is not wanted again after a launch, until the app says so`() throws {
        let phone = try ChannelPhone()
        try phone.bringUp()
        try phone.relaunch()
        #expect(!phone.calls.shouldEstablishDirectChannel)
        #expect(phone.attempts == 0)
    }

    @Test func `ends with the app object`() throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        _ = try channel.packets()
        let waiting = Record<(any Error)?>()
        let messaging = phone.phone.messaging
        phone.phone.container.app?.delete { _ in }
        let calls: any DirectChannelCalls = messaging
        calls.connect { waiting.append($0) }
        phone.drain()
        #expect(try channel.packets() == [.close])
        #expect(channel.stream.isClosedByClient)
        #expect(waiting.errorCodes == [4])
        phone.wait(seconds: 4000)
        #expect(phone.attempts == 1)
    }

    @Test func `goes to the configured address`() throws {
        let phone = TestPhone()
        try phone.launch(directChannel: "push.example.com:15228")
        try phone.installationID()
        phone.setAPNSToken()
        let calls: any DirectChannelCalls = phone.messaging
        calls.connect { _ in }
        phone.drain()
        let stream = try #require(phone.device.byteStreams.streams.first)
        #expect(stream.host == "push.example.com" && stream.port == 15228)
    }
}

@Suite struct `Direct channel - connect and disconnect` {
    @Test func `tells once that the channel is up, in the background too`() throws {
        let phone = try ChannelPhone(foreground: false)
        let result = phone.connect()
        #expect(result.errorCodes.isEmpty)
        try phone.acceptLogin()
        #expect(result.errorCodes == [0])
        #expect(phone.isUp && phone.count(.directChannelChanged) == 1)
        phone.move(to: .active)
        phone.move(to: .background)
        #expect(phone.isUp)
        phone.calls.disconnect()
        phone.drain()
        #expect(!phone.isUp && phone.count(.directChannelChanged) == 2)
        #expect(result.errorCodes == [0])
    }

    @Test func `answers 2001 when the channel is up`() throws {
        let phone = try ChannelPhone()
        try phone.bringUp()
        #expect(phone.connect().errorCodes == [2001])
        #expect(phone.isUp)
    }

    @Test func `answers 501 without a check-in, and connects when there is one`() throws {
        let phone = try ChannelPhone(registers: false)
        let result = phone.connect()
        #expect(result.errorCodes == [501])
        #expect(phone.phone.requests(.checkIn).count == 1)
        try phone.acceptLogin()
        #expect(phone.isUp)
        #expect(result.errorCodes == [501])
    }

    @Test func `tries the check-in again`() throws {
        let phone = try ChannelPhone(registers: false)
        phone.phone.service.override { $0.kind == .checkIn ? .failure(.timedOut) : nil }
        #expect(phone.connect().errorCodes == [501])
        #expect(phone.attempts == 0)
        phone.phone.service.endOverrides()
        phone.wait(seconds: 2)
        try phone.acceptLogin()
        #expect(phone.isUp)
    }

    @Test func `answers 4 without a network, and connects when it is back`() throws {
        let phone = try ChannelPhone()
        phone.setNetwork(false)
        let result = phone.connect()
        #expect(result.errorCodes == [4])
        #expect(phone.attempts == 0)
        phone.setNetwork(true)
        try phone.acceptLogin()
        #expect(phone.isUp && result.errorCodes == [4])
    }

    @Test func `answers everybody who waits`() throws {
        let phone = try ChannelPhone()
        let results = [phone.connect(), phone.connect()]
        try phone.acceptLogin()
        #expect(results.map(\.errorCodes) == [[0], [0]])
        #expect(phone.attempts == 1)
    }

    @Test func `answers those whose attempt is given up`() throws {
        let phone = try ChannelPhone()
        let result = phone.connect()
        phone.calls.disconnect()
        phone.drain()
        #expect(result.errorCodes == [4])
        #expect(try phone.channel().stream.isClosedByClient)
        #expect(phone.count(.directChannelChanged) == 0)
    }

    @Test func `an app that is not configured is told so`() {
        let result = Record<(any Error)?>()
        let calls: any DirectChannelCalls = Messaging.messaging()
        calls.connect { result.append($0) }
        calls.sendMessage([:], to: "x", withMessageID: "1", timeToLive: 1)
        calls.shouldEstablishDirectChannel = true
        #expect(result.errorCodes == [7])
        #expect(!calls.shouldEstablishDirectChannel && !calls.isDirectChannelEstablished)
    }
}

@Suite struct `Direct channel - when it breaks` {
    /// The pause before each attempt: 2, 4, 8 and so on, and 1024 at most.
    @Test func `tries again after pauses that double`() throws {
        let phone = try ChannelPhone()
        phone.calls.shouldEstablishDirectChannel = true
        phone.drain()
        for exponent in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10] {
            let attempts = phone.attempts
            try phone.channel().stream.end(.cannotConnectToHost)
            phone.drain()
            phone.wait(seconds: Double(1 << exponent) - 0.5)
            #expect(phone.attempts == attempts)
            phone.wait(seconds: 0.5)
            #expect(phone.attempts == attempts + 1)
        }
    }

    @Test func `begins with short pauses again after a login`() throws {
        let phone = try ChannelPhone()
        phone.calls.shouldEstablishDirectChannel = true
        phone.drain()
        for pause in [2.0, 4] {
            try phone.channel().stream.end(.cannotConnectToHost)
            phone.drain()
            phone.wait(seconds: pause)
        }
        let up = try phone.acceptLogin()
        up.stream.end()
        phone.drain()
        #expect(!phone.isUp && phone.count(.directChannelChanged) == 2)
        phone.wait(seconds: 0.5)
        #expect(phone.attempts == 3)
        phone.wait(seconds: 0.5)
        try phone.acceptLogin()
        #expect(phone.isUp && phone.attempts == 4)
    }

    @Test func `an attempt has 40 seconds`() throws {
        let phone = try ChannelPhone()
        phone.calls.shouldEstablishDirectChannel = true
        phone.drain()
        let first = try phone.channel()
        first.stream.open()
        phone.wait(seconds: 39)
        #expect(!first.stream.isClosedByClient)
        phone.wait(seconds: 1)
        #expect(first.stream.isClosedByClient)
        phone.wait(seconds: 2)
        #expect(phone.attempts == 2)
        // What the first server says now comes too late.
        first.stream.deliver([40])
        try phone.acceptLogin()
        #expect(phone.isUp)
    }

    @Test func `a refused login is tried again later, and confirms nothing`() throws {
        let phone = try ChannelPhone()
        phone.calls.shouldEstablishDirectChannel = true
        phone.drain()
        let channel = try phone.channel()
        channel.stream.open()
        _ = try channel.packets()
        var response = LoginResponse(id: "x")
        response.error = ErrorInfo(code: 401, message: "Authentication failed")
        response.lastStreamIDReceived = 1
        channel.send(.loginResponse(response))
        phone.drain()
        #expect(!phone.isUp && channel.stream.isClosedByClient)
        #expect(phone.phone.logCodes.contains("I-FCM005002"))
        phone.wait(seconds: 2)
        try phone.acceptLogin()
        #expect(phone.isUp)
    }

    @Test func `tries at once when the network is back`() throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        phone.setNetwork(false)
        channel.stream.end(.networkConnectionLost)
        phone.drain()
        phone.wait(seconds: 60)
        #expect(phone.attempts == 1)
        phone.setNetwork(true)
        #expect(phone.attempts == 2)
    }

    @Test func `looks for a network by itself after two minutes`() throws {
        let phone = try ChannelPhone()
        phone.setNetwork(false)
        #expect(phone.connect().errorCodes == [4])
        phone.wait(seconds: 120)
        #expect(phone.attempts == 0)
        phone.device.reachability.set(true, quietly: true)
        phone.wait(seconds: 119)
        #expect(phone.attempts == 0)
        phone.wait(seconds: 1)
        #expect(phone.attempts == 1)
    }

    @Test func `a server that falls silent is left`() throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        #expect(try channel.packets().pings == 1)
        channel.send(.heartbeatAck(Heartbeat()))
        phone.wait(seconds: 30)
        #expect(try channel.packets().pings == 1)
        phone.wait(seconds: 20)
        #expect(!phone.isUp && channel.stream.isClosedByClient)
        phone.wait(seconds: 2)
        #expect(phone.attempts == 2)
    }

    @Test func `a device that checks in anew connects anew`() throws {
        let phone = try ChannelPhone()
        let result = phone.connect()
        let first = try phone.channel().logIn()
        phone.drain()
        #expect(result.errorCodes == [0])
        phone.phone.messaging.deleteData { _ in }
        phone.drain()
        let second = try phone.channel().logIn()
        phone.drain()
        #expect(phone.isUp && first.user != second.user)
    }
}
