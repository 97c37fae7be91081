import PushModel

/// Channel and mode of a registration as one number of the database.
enum RegistrationKind: Int64 {
    case appleToken = 0
    case appleFID, deviceToken, deviceFID, webToken, webFID

    init(_ channel: Registration.Channel, isFIDMode: Bool) {
        self =
            switch channel {
            case .apple: isFIDMode ? .appleFID : .appleToken
            case .device: isFIDMode ? .deviceFID : .deviceToken
            case .web: isFIDMode ? .webFID : .webToken
            }
    }

    var isFIDMode: Bool {
        switch self {
        case .appleFID, .deviceFID, .webFID: true
        case .appleToken, .deviceToken, .webToken: false
        }
    }
}

extension Registration.Ending {
    /// The number of an ending in the database.
    private static let codes: [(ending: Registration.Ending, code: Int64)] = [
        (.deletedByApp, 1), (.installationDeleted, 2), (.replaced, 3), (.unregisteredByAPNs, 4), (.expired, 5),
        (.unregisteredByPushService, 6),
    ]

    var code: Int64 { Self.codes.first { $0.ending == self }?.code ?? 0 }

    init?(code: Int64) {
        guard let ending = Self.codes.first(where: { $0.code == code })?.ending else { return nil }
        self = ending
    }
}

extension APNsEnvironment {
    /// The number of an environment in the database; as a set they are added.
    var code: Int64 { self == .production ? 1 : 2 }

    init?(code: Int64) {
        guard let environment = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = environment
    }
}
