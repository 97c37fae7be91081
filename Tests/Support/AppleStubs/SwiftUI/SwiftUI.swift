@_exported public import Foundation

#if os(macOS)
    public import AppKit
#elseif os(watchOS)
    public import WatchKit
#else
    public import UIKit
#endif

// The part of Apple's SwiftUI that the SDK and its samples use. Bodies are never compiled.

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

@MainActor @preconcurrency public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: Scene {}

@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
    @MainActor @preconcurrency init()
}

extension App {
    @MainActor @preconcurrency public static func main() { fatalError() }
}

@resultBuilder public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { fatalError() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { fatalError() }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > { fatalError() }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { fatalError() }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { fatalError() }
}

@resultBuilder public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { fatalError() }
}

public struct EmptyView: View {
    public var body: Never { fatalError() }
}

public struct TupleView<Content>: View {
    public var body: Never { fatalError() }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}

public struct Text: View {
    public init(_ content: some StringProtocol) { fatalError() }
    public var body: Never { fatalError() }
}

public struct VStack<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) { fatalError() }
    public var body: Never { fatalError() }
}

public struct List<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) { fatalError() }
    public var body: Never { fatalError() }
}

public struct Section<Content: View>: View {
    public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) { fatalError() }
    public var body: Never { fatalError() }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content)
    { fatalError() }
    public var body: Never { fatalError() }
}

@MainActor public struct Button<Label: View>: View {
    public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) where Label == Text {
        fatalError()
    }
    public var body: Never { fatalError() }
}

public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) { fatalError() }
    public var body: Never { fatalError() }
}

@MainActor @propertyWrapper public struct State<Value> {
    public init(wrappedValue: Value) { fatalError() }
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set { fatalError() }
    }
}

#if os(macOS)
    @MainActor @propertyWrapper
    public struct NSApplicationDelegateAdaptor<Delegate: NSObject & NSApplicationDelegate> {
        public init(_ type: Delegate.Type = Delegate.self) { fatalError() }
        public var wrappedValue: Delegate { fatalError() }
    }
#elseif os(watchOS)
    @MainActor @propertyWrapper
    public struct WKApplicationDelegateAdaptor<Delegate: NSObject & WKApplicationDelegate> {
        public init(_ type: Delegate.Type = Delegate.self) { fatalError() }
        public var wrappedValue: Delegate { fatalError() }
    }
#else
    @MainActor @propertyWrapper
    public struct UIApplicationDelegateAdaptor<Delegate: NSObject & UIApplicationDelegate> {
        public init(_ type: Delegate.Type = Delegate.self) { fatalError() }
        public var wrappedValue: Delegate { fatalError() }
    }
#endif
