/// The `pharos` command-line program.
public enum PharosProgram {
    /// Runs the command that the arguments name and exits with its code.
    public static func main() async {}
}
