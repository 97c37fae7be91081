import EventLoop

extension APNsPool {
    private static let tickInterval: Duration = .milliseconds(250)
    private static let idleTickInterval: Duration = .seconds(5)

    func startTicking() {
        let isBusy = !queue.isEmpty || connections.contains { $0.requestsUnderWay > 0 || $0.state.phase.isConnecting }
        guard ticker?.isPending != true || isTickingSlowly && isBusy else { return }
        ticker?.cancel()
        guard !connections.isEmpty || !queue.isEmpty else { return }
        isTickingSlowly = !isBusy
        ticker = loop.schedule(after: isBusy ? Self.tickInterval : Self.idleTickInterval) { [weak self] in
            self?.tick()
        }
    }

    private func tick() {
        for connection in connections { connection.tick(pushesWait: !queue.isEmpty) }
        while let oldest = queue.first, now.since(oldest.waitingSince) >= configuration.longestWait {
            queue.removeFirst()
            taken(1)
            oldest.complete(.tryLater("No stream to APNs became free.", milliseconds: 0))
        }
        pump()
        startTicking()
    }
}
