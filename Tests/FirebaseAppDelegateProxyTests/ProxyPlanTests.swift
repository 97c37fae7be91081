import Testing

@testable import FirebaseAppDelegateProxy

@Suite struct `The proxy's plan` {
    @Test func `takes the answers of APNs over on every system`() {
        #expect(ProxyPlan.appDelegateMethods(on: .phone).prefix(2) == [.registered, .failedToRegister])
        #expect(ProxyPlan.appDelegateMethods(on: .mac).prefix(2) == [.registered, .failedToRegister])
        #expect(ProxyPlan.appDelegateMethods(on: .watch).prefix(2) == [.watchRegistered, .watchFailedToRegister])
    }

    @Test func `takes the one method for messages over that the system has`() {
        #expect(ProxyPlan.appDelegateMethods(on: .phone).dropFirst(2) == [.receivedFetching])
        #expect(ProxyPlan.appDelegateMethods(on: .mac).dropFirst(2) == [.received])
        #expect(ProxyPlan.appDelegateMethods(on: .watch).dropFirst(2) == [.watchReceivedFetching])
    }

    @Test func `leaves alone what a notification delegate does not implement`() {
        #expect(ProxyPlan.notificationDelegateMethods { _ in false } == [])
        #expect(ProxyPlan.notificationDelegateMethods { $0 == .receivedResponse } == [.receivedResponse])
        #expect(ProxyPlan.notificationDelegateMethods { _ in true } == [.willPresent, .receivedResponse])
    }

    static let forwarding: [([ProxiedMethod], FetchForwarding)] = [
        ([.receivedFetching, .received], .fetching),
        ([.receivedFetching], .fetching),
        ([.received], .plain),
        ([], .nobody),
        ([.registered, .willPresent], .nobody),
    ]

    @Test(arguments: forwarding) func `passes a message on to the method the app has, of 2017 or of today`(
        methods: [ProxiedMethod], forwarding: FetchForwarding
    ) {
        #expect(FetchForwarding(implements: methods.contains) == forwarding)
    }

    static let encodings: [(ProxiedMethod, String)] = [
        (.registered, "v@:@@"), (.failedToRegister, "v@:@@"), (.receivedFetching, "v@:@@@?"), (.received, "v@:@@"),
        (.watchRegistered, "v@:@"), (.watchFailedToRegister, "v@:@"), (.watchReceivedFetching, "v@:@@?"),
        (.willPresent, "v@:@@@?"), (.receivedResponse, "v@:@@@?"),
    ]

    @Test(arguments: encodings) func `writes types as the runtime does`(method: ProxiedMethod, encoding: String) {
        #expect(method.typeEncoding == encoding)
    }

    @Test func `writes the types of every method`() {
        #expect(Set(Self.encodings.map(\.0)) == Set(ProxiedMethod.allCases))
    }
}
