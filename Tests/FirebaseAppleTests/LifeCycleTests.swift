import FirebasePlatform
import Testing

@testable import FirebaseApple

@Suite struct `The life cycle` {
    static let rows: [(LifeCycleSignal, AppState?, AppStateEvent?)] = [
        (.becameActive, .active, .didBecomeActive),
        (.willResignActive, .inactive, nil),
        (.enteredBackground, .background, .didEnterBackground),
        (.willEnterForeground, .inactive, nil),
        (.willTerminate, nil, .willTerminate),
    ]

    @Test(arguments: rows) func `of an app is known by its signals`(
        signal: LifeCycleSignal, state: AppState?, event: AppStateEvent?
    ) {
        #expect(signal.state == state)
        #expect(signal.event == event)
    }

    @Test func `leaves no signal out`() {
        #expect(Set(Self.rows.map(\.0)) == Set(LifeCycleSignal.allCases))
    }

    @Test(arguments: [(18, 0, 0, "18.0"), (18, 2, 1, "18.2.1"), (26, 0, 1, "26.0.1")])
    func `of a system is told by its version`(major: Int, minor: Int, patch: Int, text: String) {
        #expect(SystemVersion.text(major: major, minor: minor, patch: patch) == text)
    }
}
