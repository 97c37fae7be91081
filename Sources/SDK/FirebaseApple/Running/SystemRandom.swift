import FirebasePlatform

/// The system's generator, which is fit for secrets.
package struct SystemRandom: RandomSource {
    package init() {}

    package func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
