#if canImport(Darwin)
    import Foundation
    import ObjectiveC
    import Synchronization

    /// Gives one object methods of its own, through a class made for it below the object's class: the way key-value
    /// observing works. Other objects of the class are left alone, and so is the class.
    ///
    /// An object keeps its proxy class for life: taking it away could take away what others put on top.
    final class ProxyClass: NSObject, Sendable {
        /// The object's class as it was.
        let original: AnyClass
        private let made: AnyClass
        private let implemented = Mutex<Set<ProxiedMethod>>([])

        private static let counter = Mutex(0)
        /// An address that nobody else uses as a key. Nothing is ever stored there.
        nonisolated(unsafe) private static let key = UnsafeRawPointer(
            UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

        /// The object's proxy class, made when it has none yet. `nil` when the runtime refuses.
        static func of(_ object: NSObject) -> ProxyClass? {
            if let known = objc_getAssociatedObject(object, key) as? ProxyClass { return known }
            guard let made = ProxyClass(below: object) else { return nil }
            objc_setAssociatedObject(object, key, made, .OBJC_ASSOCIATION_RETAIN)
            return made
        }

        private init?(below object: NSObject) {
            guard let original = object_getClass(object) else { return nil }
            let number = Self.counter.withLock { counter in
                counter += 1
                return counter
            }
            let name = "Pharos_\(NSStringFromClass(original))_\(number)"
            guard let made = name.withCString({ objc_allocateClassPair(original, $0, 0) }) else { return nil }
            guard class_getInstanceSize(made) == class_getInstanceSize(original) else { return nil }
            self.original = original
            self.made = made
            super.init()
            hideName()
            objc_registerClassPair(made)
            object_setClass(object, made)
        }

        /// The object still says that it is of its own class.
        private func hideName() {
            let original: AnyClass = original
            let block: @convention(block) (NSObject) -> AnyClass = { _ in original }
            _ = "#@:".withCString {
                class_addMethod(made, NSSelectorFromString("class"), imp_implementationWithBlock(block), $0)
            }
        }

        /// Puts a block in the place of a method, once. It takes the object and then the method's arguments.
        func implement(_ method: ProxiedMethod, _ block: Any) {
            guard implemented.withLock({ $0.insert(method).inserted }) else { return }
            _ = method.typeEncoding.withCString {
                class_addMethod(made, method.selector, imp_implementationWithBlock(block), $0)
            }
        }

        /// What the object did before, asked for at each call: others may change it. Also right for objects that pass
        /// calls on to others, as the app delegate of SwiftUI does. Call it only if the object responded to the method.
        func originalImplementation<Function>(of method: ProxiedMethod, as type: Function.Type) -> Function? {
            class_getMethodImplementation(original, method.selector).map { unsafeBitCast($0, to: type) }
        }
    }

    extension ProxiedMethod {
        var selector: Selector { NSSelectorFromString(rawValue) }
    }
#endif
