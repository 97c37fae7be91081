import CExpat

/// Expat's errors in the words of XMPP.
enum ExpatErrors {
    static func streamError(_ code: XML_Error) -> XMPPStreamError {
        let text = XML_ErrorString(code).map { String(cString: $0) } ?? ""
        let condition: XMPPStreamError.Condition =
            switch code {
            case XML_ERROR_NO_MEMORY: .resourceConstraint
            case XML_ERROR_UNKNOWN_ENCODING, XML_ERROR_INCORRECT_ENCODING: .unsupportedEncoding
            case XML_ERROR_UNBOUND_PREFIX: .badNamespacePrefix
            case XML_ERROR_UNDEFINED_ENTITY, XML_ERROR_RECURSIVE_ENTITY_REF, XML_ERROR_ASYNC_ENTITY,
                XML_ERROR_BINARY_ENTITY_REF, XML_ERROR_ATTRIBUTE_EXTERNAL_ENTITY_REF,
                XML_ERROR_EXTERNAL_ENTITY_HANDLING, XML_ERROR_ENTITY_DECLARED_IN_PE:
                .restrictedXML
            case XML_ERROR_AMPLIFICATION_LIMIT_BREACH: .policyViolation
            default: .notWellFormed
            }
        return XMPPStreamError(condition, text)
    }
}
