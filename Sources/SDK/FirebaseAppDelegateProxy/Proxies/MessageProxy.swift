#if canImport(Darwin)
    import FirebaseApple
    import FirebasePlatform
    import Foundation

    /// Hears of messages that the system hands to the app delegate, then lets the app's own methods run.
    struct MessageProxy: Sendable {
        private typealias Handler = @convention(block) (UInt) -> Void
        private typealias Fetching =
            @convention(c) (NSObject, Selector, NSObject, NSObject, Handler) -> Void
        private typealias Plain = @convention(c) (NSObject, Selector, NSObject, NSObject) -> Void
        private typealias WatchFetching = @convention(c) (NSObject, Selector, NSObject, Handler) -> Void

        let host: HostEvents
        let main: any MainExecutor

        /// The method with a fetch handler.
        func installFetching(on proxy: ProxyClass, forwarding: FetchForwarding) {
            let block: @convention(block) (NSObject, NSObject, NSObject, @escaping Handler) -> Void = {
                [self] object, application, userInfo, completion in
                host.reportMessage(userInfo)
                let vote = vote(SystemHandler(block: completion))
                switch forwarding {
                case .fetching:
                    let answer = vote.participant()
                    proxy.originalImplementation(of: .receivedFetching, as: Fetching.self)?(
                        object, ProxiedMethod.receivedFetching.selector, application, userInfo,
                        { answer(FetchResult(system: $0)) })
                case .plain:
                    proxy.originalImplementation(of: .received, as: Plain.self)?(
                        object, ProxiedMethod.received.selector, application, userInfo)
                case .nobody: break
                }
                vote.participant()(.noData)
                vote.close()
            }
            proxy.implement(.receivedFetching, block)
        }

        /// The watch's method: it has no application among its arguments.
        func installWatchFetching(on proxy: ProxyClass, callsOriginal: Bool) {
            let block: @convention(block) (NSObject, NSObject, @escaping Handler) -> Void = {
                [self] object, userInfo, completion in
                host.reportMessage(userInfo)
                let vote = vote(SystemHandler(block: completion))
                if callsOriginal {
                    let answer = vote.participant()
                    proxy.originalImplementation(of: .watchReceivedFetching, as: WatchFetching.self)?(
                        object, ProxiedMethod.watchReceivedFetching.selector, userInfo,
                        { answer(FetchResult(system: $0)) })
                }
                vote.participant()(.noData)
                vote.close()
            }
            proxy.implement(.watchReceivedFetching, block)
        }

        /// The SDK's own answer is always that it has no data: it never fetches any.
        private func vote(_ handler: SystemHandler) -> FetchResultVote {
            FetchResultVote(on: main) { handler.block(UInt($0.rawValue)) }
        }
    }

    extension FetchResult {
        /// A number that the system does not define counts as no data.
        fileprivate init(system number: UInt) {
            self = Int(exactly: number).flatMap(FetchResult.init(rawValue:)) ?? .noData
        }
    }
#endif
