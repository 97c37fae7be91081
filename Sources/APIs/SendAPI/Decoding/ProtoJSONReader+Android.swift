import JSON
import PushCore
import PushModel

/// Both shapes of the Android part, which exclude each other.
extension ProtoJSONReader {
    mutating func readAndroid(into draft: inout MessageDraft) throws(JSONError) {
        let options = try readAndroidConfig()
        draft.hasAndroid = options != nil
        store(options, conflictsWith: draft.hasAndroidV2, in: &draft)
    }

    mutating func readAndroidV2(into draft: inout MessageDraft) throws(JSONError) {
        let options = try readAndroidConfigV2()
        draft.hasAndroidV2 = options != nil
        store(options, conflictsWith: draft.hasAndroid, in: &draft)
    }

    private mutating func store(
        _ options: AndroidOptions?, conflictsWith hasOther: Bool, in draft: inout MessageDraft
    ) {
        guard hasOther else {
            draft.message.android = options
            return
        }
        if options != nil { _ = require(nil as Void?, orElse: SendError.secondAndroidPart) }
    }

    private mutating func readAndroidConfig() throws(JSONError) -> AndroidOptions? {
        var options = AndroidOptions()
        let isThere = try readMessage(MessageSchema.android) { (reader, field) throws(JSONError) in
            switch field {
            case .collapseKey: options.collapseKey = try reader.readString()
            case .priority: options.priority = try reader.readPriority()
            case .ttl: options.timeToLive = try reader.readTimeToLive()
            case .restrictedPackageName: options.restrictedPackageName = try reader.readString()
            case .data: options.data = try reader.readStringMap()
            case .notification: options.notification = try reader.readObject(AndroidSchema.notification)
            case .fcmOptions: options.analyticsLabel = try reader.readLabel(MessageSchema.androidFCMOptions)
            case .directBootOK: options.directBootOK = try reader.readBool() ?? false
            case .bandwidthConstrainedOK, .restrictedSatelliteOK: _ = try reader.readBool()
            }
        }
        return isThere ? options : nil
    }

    private mutating func readAndroidConfigV2() throws(JSONError) -> AndroidOptions? {
        var options = AndroidOptions()
        var kind: MessageSchema.AndroidV2?
        let isThere = try readMessage(MessageSchema.androidV2) { (reader, field) throws(JSONError) in
            switch field {
            case .collapseKey: options.collapseKey = try reader.readString()
            case .ttl: options.timeToLive = try reader.readTimeToLive()
            case .restrictedPackageName: options.restrictedPackageName = try reader.readString()
            case .data: options.data = try reader.readStringMap()
            case .fcmOptions: options.analyticsLabel = try reader.readLabel(MessageSchema.androidFCMOptions)
            case .directBootOK: options.directBootOK = try reader.readBool() ?? false
            case .bandwidthConstrainedOK, .restrictedSatelliteOK: _ = try reader.readBool()
            case .backgroundSync, .remoteNotification:
                try reader.readMessageKind(field, previous: &kind, into: &options)
            }
        }
        return isThere ? options : nil
    }

    /// A member of the oneof of `AndroidConfigV2`.
    private mutating func readMessageKind(
        _ field: MessageSchema.AndroidV2, previous: inout MessageSchema.AndroidV2?, into options: inout AndroidOptions
    ) throws(JSONError) {
        let isThere: Bool
        if field == .backgroundSync {
            isThere = try readObject(MessageSchema.backgroundSync) != nil
        } else {
            isThere = try readRemoteNotification(into: &options)
        }
        guard isThere else { return }
        if let previous, previous != field { note(.conflict(oneof: "message_type")) }
        previous = field
    }

    private mutating func readRemoteNotification(into options: inout AndroidOptions) throws(JSONError) -> Bool {
        try readMessage(MessageSchema.remoteNotification) { (reader, field) throws(JSONError) in
            switch field {
            case .notification: options.notification = try reader.readObject(AndroidSchema.notificationV2)
            case .mutableContent, .useAsV1DataMessage: _ = try reader.readBool()
            }
        }
    }

    private mutating func readPriority() throws(JSONError) -> MessagePriority? {
        switch try readEnum(AndroidSchema.priority) {
        case .name("HIGH"): .high
        case .name("NORMAL"): .normal
        default: nil
        }
    }

    private mutating func readTimeToLive() throws(JSONError) -> TimeToLive? {
        guard let duration = try readDuration() else { return nil }
        let seconds = duration.isNegative ? -1 : duration.seconds
        return require(TimeToLive(seconds: seconds), orElse: SendError.timeToLiveOutOfRange)
    }
}
