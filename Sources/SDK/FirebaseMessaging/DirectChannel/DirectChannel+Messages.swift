import FirebaseCore
import FirebasePlatform
import MCSWire
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What travels over the connection.

extension DirectChannel {
    func streamTold(_ event: ByteStreamEvent, number: Int) {
        guard state.withLock({ $0.number == number && $0.link != nil }) else { return }
        let now = now
        switch event {
        case .opened: perform(state.withLock { $0.link?.session.opened() } ?? [])
        case .received(let bytes):
            perform(state.withLock { $0.link?.session.receive(bytes, at: now) } ?? [])
            flush()
        case .closed(let error): failed(error.map { "\($0)" } ?? "The server ended the connection.")
        }
    }

    func perform(_ actions: [DirectChannelSession.Action]) {
        for action in actions {
            switch action {
            case .write(let bytes): state.withLock { $0.link?.stream }?.write(bytes)
            case .signedIn: signedIn()
            case .message(let stanza): received(stanza)
            case .confirmed(let ids): changeUnconfirmed { $0.remove(ids) }
            case .accepted(let ids): tellAccepted(ids)
            case .end(let ending): ended(ending)
            }
        }
    }

    private func signedIn() {
        state.withLock { state in
            state.plan.signedIn()
            state.link?.isUp = true
        }
        app.log.info("I-FCM005001", "The direct channel is up.")
        answer(nil)
        tellStateChanged()
    }

    private func ended(_ ending: DirectChannelSession.Ending) {
        switch ending {
        case .closedByServer: failed("The server said goodbye.")
        case .silence: failed("The server did not answer in time.")
        case .wrongVersion(let version): failed("The server speaks version \(version).")
        case .unreadable: failed("The server's packets cannot be read.")
        case .refused(let code, let message):
            app.log.error("I-FCM005002", "The server refused the login: \(code) \(message)")
            failed("The login was refused.")
        }
    }
}

// MARK: - To the app

extension DirectChannel {
    /// The id is stored before anything is acknowledged, and before the app sees the message.
    private func received(_ stanza: DataMessageStanza) {
        guard isNew(stanza.persistentID) else { return }
        switch DirectMessage.Content(stanza) {
        case .forTheSystem: break
        case .messagesDeleted: post(.directChannelMessagesDeleted)
        case .message(let message): deliver(message)
        }
    }

    private func isNew(_ id: String) -> Bool {
        guard !id.isEmpty else { return true }
        var isNew = state.withLock { $0.recentIDs.insert(id) }
        changeUnconfirmed { isNew = $0.insert(id) && isNew }
        return isNew
    }

    private func deliver(_ message: DirectMessage) {
        if let type = message.unknownType {
            app.log.error("I-FCM018000", "The message has a type that is not known: \(type.prefix(100))")
        }
        if let duplicate = message.duplicate,
            receiver.cameBeforeDirectly(duplicate.messageID, timeToLiveSeconds: duplicate.timeToLiveSeconds)
        {
            return
        }
        let id = message.persistentID.isEmpty ? nextCountedID() : message.persistentID
        app.onMain { [announcer, receiver] in
            let message = ReceivedDirectMessage(message, id: id)
            _ = receiver.receive(message.appData)
            announcer.deliver(message)
        }
    }

    private func nextCountedID() -> String {
        state.withLock { state in
            state.countedIDs += 1
            return "gcm-\(state.countedIDs)"
        }
    }

    private func changeUnconfirmed(_ change: (inout UnconfirmedIDs) -> Void) {
        let changed: UnconfirmedIDs? = state.withLock { state in
            let before = state.unconfirmed
            change(&state.unconfirmed)
            return state.unconfirmed == before ? nil : state.unconfirmed
        }
        guard let changed else { return }
        do {
            try changed.store(in: platform.files)
        } catch {
            app.log.warning("I-FCM018001", "The ids of received messages could not be stored: \(error.reason)")
        }
    }
}

// MARK: - From the app

extension DirectChannel {
    func send(_ message: UpstreamMessage) {
        if message.isKept {
            guard keep(message) else { return }
        } else if isUp || isReachable {
            state.withLock { $0.queue.addFleeting(message) }
        } else {
            return tell(messageID: message.messageID, error: .noNetwork)
        }
        if isUp { return flush() }
        if isReachable { take { $0.hurry(at: $1) } }
    }

    private func keep(_ message: UpstreamMessage) -> Bool {
        let now = now
        do throws(FileStoreError) {
            try state.withLock { state throws(FileStoreError) in
                let id = state.queue.makeID(at: now)
                var message = message
                message.stanza.persistentID = String(id)
                try state.store.add(message, id: id)
                state.queue.add(message, id: id)
            }
            return true
        } catch {
            tell(messageID: message.messageID, error: .upstreamNotSaved(error.reason))
            return false
        }
    }

    /// Sends what waits, each message once on a connection.
    private func flush() {
        guard isUp else { return }
        let now = now
        tellExpired(at: now)
        let actions = state.withLock { state in
            guard state.link != nil else { return [DirectChannelSession.Action]() }
            return state.queue.takeWaiting().flatMap { message in
                state.link?.session.send(message.stanza(at: now)) ?? []
            }
        }
        perform(actions)
    }

    func tellExpired(at now: Date) {
        tell(state.withLock { $0.queue.takeExpired(at: now) }, error: .upstreamExpired)
    }

    private func tellAccepted(_ ids: [String]) {
        tell(state.withLock { $0.queue.settle(ids) }, error: nil)
    }

    /// Tells the app how messages ended, and only then lets go of them: a process that ends in between sends them again,
    /// and the server knows them by their ids.
    private func tell(_ ended: [UpstreamQueue.Ended], error: MessagingError?) {
        guard !ended.isEmpty else { return }
        for message in ended { tell(messageID: message.message.messageID, error: error) }
        app.onMain { [weak self] in self?.handle(.told(ended.map(\.id))) }
    }

    func tell(messageID: String, error: MessagingError?) {
        var userInfo: [String: any Sendable] = ["messageID": messageID]
        if let error { userInfo["error"] = error }
        post(error == nil ? .upstreamSent : .upstreamFailed, userInfo: userInfo)
    }

    func forget(_ ids: [UInt64]) {
        state.withLock { state in
            state.queue.remove(ids)
            state.store.remove(ids)
        }
    }
}

extension UpstreamMessage {
    /// The stanza as it goes out now.
    fileprivate func stanza(at now: Date) -> DataMessageStanza {
        var stanza = stanza
        let queued = Int64(now.timeIntervalSince1970.rounded(.down)) - (stanza.sent ?? 0)
        if queued > 0 { stanza.queued = Int32(clamping: queued) }
        return stanza
    }
}
