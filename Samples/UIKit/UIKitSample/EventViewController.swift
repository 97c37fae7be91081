import UIKit

/// What happened, as text.
@MainActor
final class EventLog {
    static let shared = EventLog()
    private var lines: [String] = []
    var onChange: (String) -> Void = { _ in }

    var text: String { lines.joined(separator: "\n") }

    func note(_ line: String) {
        lines.append(line)
        onChange(text)
    }
}

final class EventViewController: UIViewController {
    private let textView = UITextView()

    override func viewDidLoad() {
        super.viewDidLoad()
        view = textView
        textView.text = EventLog.shared.text
        EventLog.shared.onChange = { [weak self] text in self?.textView.text = text }
    }
}
