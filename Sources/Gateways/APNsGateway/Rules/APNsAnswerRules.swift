import PushModel

/// What an answer of APNs means for the request's next try and for the connection that brought it.
///
/// Source: Apple, "Handling notification responses from APNs", and what senders have met.
struct APNsAnswerRules: Equatable {
    /// The request goes out again at once, on another connection; otherwise the answer is the gateway's.
    var resends = false
    /// The connection gets no further requests.
    var replacesConnection = false
    /// The provider token is given up.
    var renewsToken = false
    /// The service looked at the push itself: the connection is good.
    var isProductive = true
    /// The credential was refused.
    var isRefusalOfCredential = false

    /// - Parameter resends: How often the request was sent again for such a reason.
    init(_ answer: APNsAnswer, resends: Int) {
        switch (answer.status, answer.reason) {
        case (403, "ExpiredProviderToken"):
            self.resends = resends < 1
            replacesConnection = true
            renewsToken = true
            isProductive = false
            isRefusalOfCredential = resends >= 1
        case (403, "UnrelatedKeyIdInToken"):
            self.resends = resends < 1
            replacesConnection = true
            isProductive = false
            isRefusalOfCredential = resends >= 1
        case (403, _):
            isProductive = false
            isRefusalOfCredential = true
        case (429, "TooManyProviderTokenUpdates"), (400, "IdleTimeout"), (503, "Shutdown"):
            self.resends = resends < 2
            replacesConnection = true
            isProductive = false
        case (500, _):
            replacesConnection = true
            isProductive = false
        case (503, _):
            isProductive = false
        default: break
        }
    }
}
