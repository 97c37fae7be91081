import Campaigns
import Crypto
import EventLoop
import Glibc
import SQLiteStore
import Telemetry
import Timekeeping
import Transport

/// What can be checked on this machine alone.
struct LocalChecks {
    let dataDirectory: String
    let clock: any WallClock
    var zones = ZoneFolder()

    /// A clock before this program was written is wrong. 2025-01-01.
    private static let earliestPlausible = Timestamp(seconds: 1_735_689_600)
    private static let enoughFreeBytes: UInt64 = 1 << 30
    private static let enoughDescriptors: rlim_t = 4096

    var findings: [Finding] {
        [clockFinding, descriptorFinding, diskFinding, certificateFinding, zoneFinding]
    }

    private var clockFinding: Finding {
        let now = clock.now()
        guard now > Self.earliestPlausible else {
            return Finding(
                subject: "clock", state: .bad, text: "The clock says \(now.seconds) s since 1970, which is past.",
                nextStep: "Set the clock: tokens of app servers and of APNs depend on it.")
        }
        return .good("clock", "plausible")
    }

    private var zoneFinding: Finding {
        guard zones.isPresent else {
            return Finding(
                subject: "time zones", state: .doubtful, text: "There is no tz database: campaigns know UTC alone.",
                nextStep: "Install it (Debian: apt-get install tzdata) and start the service again.")
        }
        return .good("time zones", ZoneFolder.systemPath)
    }

    private var descriptorFinding: Finding {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur >= Self.enoughDescriptors else {
            return Finding(
                subject: "open files", state: .doubtful, text: "At most \(limit.rlim_cur) descriptors.",
                nextStep: "Raise the limit: ulimit -n 65536; each connection takes one.")
        }
        return .good("open files", "up to \(limit.rlim_cur)")
    }

    private var diskFinding: Finding {
        var info = statvfs()
        guard statvfs(dataDirectory, &info) == 0 else {
            return Finding(
                subject: "data directory", state: .bad,
                text: "\(dataDirectory): \(String(cString: strerror(errno))).",
                nextStep: "Start the service once, or name the directory with --data-dir.")
        }
        let free = UInt64(info.f_bavail) &* UInt64(info.f_frsize)
        guard free >= Self.enoughFreeBytes else {
            return Finding(
                subject: "data directory", state: .doubtful, text: "Only \(free >> 20) MiB free.",
                nextStep: "Make room: when the disk is full, sends are refused with 503.")
        }
        return .good("data directory", "\(free >> 30) GiB free")
    }

    private var certificateFinding: Finding {
        let path = dataDirectory + "/ca.pem"
        guard PrivateFile.exists(path) else {
            return Finding(
                subject: "local CA", state: .doubtful, text: "There is none yet.",
                nextStep: "The first start makes it; pharos ca makes it now.")
        }
        do {
            let authority = try LocalAuthority(dataDirectory: dataDirectory, now: clock.now())
            guard authority.authority.certificate.isValid(at: clock.now()) else {
                return Finding(
                    subject: "local CA", state: .bad, text: "The certificate is not valid today.",
                    nextStep: "Remove ca.pem and ca-key.pem; the next start makes new ones.")
            }
            return .good("local CA", "valid, \(path)")
        } catch {
            return Finding(subject: "local CA", state: .bad, text: error.message, nextStep: error.nextStep)
        }
    }

    /// Whether an address can be listened on, or who has it.
    func portFinding(_ option: String, _ address: ListenAddress, loops: [EventLoop]) -> Finding {
        var options = ListenerOptions()
        options.address = address.host
        options.port = address.port
        do {
            let listener = try Listener(options, loops: loops) { _ in IdleHandler() }
            listener.stop()
            return .good(option, "\(address.text(port: address.port)) is free")
        } catch {
            return Finding(
                subject: option, state: .doubtful, text: "\(address.text(port: address.port)) is taken: \(error).",
                nextStep: "Fine if that is Pharos itself; otherwise choose another with --\(option).")
        }
    }
}

private final class IdleHandler: ConnectionHandler {
    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) { connection.abort() }
    func closed(_ connection: Connection, reason: CloseReason) {}
}
