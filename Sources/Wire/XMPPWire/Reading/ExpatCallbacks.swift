import CExpat

/// The functions that expat calls. Each finds its `StreamParser` and does nothing else.
enum ExpatCallbacks {
    static func install(on parser: XML_Parser) {
        installContent(on: parser)
        installRefusals(on: parser)
    }

    private static func installContent(on parser: XML_Parser) {
        XML_SetElementHandler(
            parser,
            { context, name, attributes in
                guard let name else { return }
                ExpatCallbacks.owner(context)?.started(name, attributes)
            }, { context, _ in ExpatCallbacks.owner(context)?.ended() })
        XML_SetCharacterDataHandler(parser) { context, text, count in
            guard let text, count > 0 else { return }
            text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
                ExpatCallbacks.owner(context)?.found(UnsafeBufferPointer(start: $0, count: Int(count)))
            }
        }
        XML_SetStartNamespaceDeclHandler(parser) { context, prefix, uri in
            if prefix == nil { ExpatCallbacks.owner(context)?.declared(defaultNamespace: uri) }
        }
        XML_SetXmlDeclHandler(parser) { context, _, encoding, _ in
            ExpatCallbacks.owner(context)?.declared(encoding: encoding)
        }
    }

    /// What RFC 6120 §11.1 has no place for.
    private static func installRefusals(on parser: XML_Parser) {
        XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in ExpatCallbacks.refuse(context, "document type")
        }
        XML_SetEntityDeclHandler(parser) { context, _, _, _, _, _, _, _, _ in ExpatCallbacks.refuse(context, "entity") }
        XML_SetSkippedEntityHandler(parser) { context, _, _ in ExpatCallbacks.refuse(context, "entity") }
        XML_SetCommentHandler(parser) { context, _ in ExpatCallbacks.refuse(context, "comment") }
        XML_SetProcessingInstructionHandler(parser) { context, _, _ in
            ExpatCallbacks.refuse(context, "processing instruction")
        }
    }

    private static func refuse(_ context: UnsafeMutableRawPointer?, _ what: String) {
        ExpatCallbacks.owner(context)?.refuse(XMPPStreamError(.restrictedXML, what))
    }

    /// The parser lives: it owns expat's, and callbacks come from within its calls only.
    private static func owner(_ context: UnsafeMutableRawPointer?) -> StreamParser? {
        guard let context else { return nil }
        return Unmanaged<StreamParser>.fromOpaque(context).takeUnretainedValue()
    }
}
