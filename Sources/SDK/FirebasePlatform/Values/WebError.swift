/// No answer came. The numbers are those of `NSURLErrorDomain`.
public struct WebError: CodedError, Hashable {
    public static let errorDomain = "NSURLErrorDomain"
    public var errorCode: Int
    public var failureReason: String?

    public init(errorCode: Int, failureReason: String? = nil) {
        self.errorCode = errorCode
        self.failureReason = failureReason
    }

    public static let cancelled = WebError(errorCode: -999)
    public static let badURL = WebError(errorCode: -1000)
    public static let timedOut = WebError(errorCode: -1001)
    public static let cannotFindHost = WebError(errorCode: -1003)
    public static let cannotConnectToHost = WebError(errorCode: -1004)
    public static let networkConnectionLost = WebError(errorCode: -1005)
    public static let notConnectedToInternet = WebError(errorCode: -1009)
    public static let badServerResponse = WebError(errorCode: -1011)
    public static let secureConnectionFailed = WebError(errorCode: -1200)
    public static let serverCertificateUntrusted = WebError(errorCode: -1202)
    public static let dataLengthExceedsMaximum = WebError(errorCode: -1103)
}
