import PushCore
import PushModel
public import Timekeeping

extension InspectedDelivery {
    /// Why the message did not arrive, or has not arrived yet; `nil` when the device has it.
    public func explanation(now: Timestamp) -> Explanation? {
        switch state {
        case .failed(let reason): APNsReason.known(detail)?.explanation ?? reason.explanation
        case .inInbox:
            Explanation(
                "It waits in the inbox of the device, which has no connection now.",
                nextStep: "It is delivered when the app connects. See on the page of the device when it was last seen.")
        case .waiting: waiting
        case .accepted: accepted
        }
    }

    private var waiting: Explanation {
        if let last = tries.last {
            let known = APNsReason.known(last.reason)?.explanation
            return Explanation(
                "It was tried \(tries.count) times, last with the answer \(last.status) \(last.reason). "
                    + (known?.text ?? ""),
                nextStep: known?.nextStep ?? "It is tried again until the time to live ends.")
        }
        if case .apple(nil)? = registration?.channel {
            return Explanation(
                "The app has not told its APNs token yet.",
                nextStep: "Make sure that the app registers for remote notifications, has the push capability, and "
                    + "gives its token to Messaging when method swizzling is off.")
        }
        return Explanation("It is on its way.", nextStep: "Look again in a moment.")
    }

    private var accepted: Explanation? {
        guard reports.isEmpty, case .apple? = registration?.channel, !detail.isEmpty else { return nil }
        return Explanation(
            "APNs took the push, and the device has not reported it.",
            nextStep:
                "Most apps report nothing: a service extension that exports delivery metrics does. Else the device "
                + "may be off or offline, or the user may have switched notifications off; "
                + "a background push may be held back by the system.")
    }
}
