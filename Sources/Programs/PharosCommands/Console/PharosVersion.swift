/// The version of the program.
enum PharosVersion {
    static let text = "0.1.0"
}
