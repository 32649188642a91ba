internal import CNewsflashExpat

/// Parses whole XML 1.0 documents with expat.
///
/// In addition to grammar errors it refuses a document type declaration (so only XML's five predefined entities exist, and
/// nothing can expand or be fetched) and nesting beyond a limit. The bytes are always treated as UTF-8, regardless of the
/// declaration: clients of Notification Hubs declare UTF-16 and send UTF-8. Comments and processing instructions are
/// discarded.
public enum XMLReader {
    /// Parses a document.
    ///
    /// - Parameters:
    ///   - bytes: The whole document in UTF-8, which may begin with a byte order mark.
    ///   - maximumDepth: The maximum nesting of elements.
    /// - Returns: The root element.
    /// - Throws: The first error with its position.
    public static func read(_ bytes: [UInt8], maximumDepth: Int = 64) throws(XMLError) -> XMLElement {
        try XMLParser(maximumDepth: maximumDepth).read(bytes)
    }

    /// Parses a document from a string.
    ///
    /// - Parameters:
    ///   - text: The whole document.
    ///   - maximumDepth: The maximum nesting of elements.
    /// - Returns: The root element.
    /// - Throws: The first error with its position.
    public static func read(_ text: String, maximumDepth: Int = 64) throws(XMLError) -> XMLElement {
        try read(Array(text.utf8), maximumDepth: maximumDepth)
    }
}

// Safe, because the pointer is private and lives as long as the object.
/// Owns an expat parser and the elements parsed so far.
@safe
private final class XMLParser {
    private let parser: OpaquePointer?
    private let maximumDepth: Int
    /// The open elements, the root first.
    private var open: [XMLElement] = []
    /// The text since the last tag. Expat delivers it in pieces, split at line ends, entities and the ends of its buffers.
    /// It is collected here, because appending each piece to a string would copy the whole text each time.
    private var text: [UInt8] = []
    private var root: XMLElement?
    private var refusal: XMLError?

    init(maximumDepth: Int) {
        self.maximumDepth = maximumDepth
        unsafe parser = XML_ParserCreate("UTF-8")
        setCallbacks()
    }

    deinit {
        unsafe XML_ParserFree(parser)
    }

    func read(_ bytes: [UInt8]) throws(XMLError) -> XMLElement {
        guard unsafe parser != nil, let length = Int32(exactly: bytes.count) else {
            throw XMLError(.syntax, "the document is too large", line: 1, column: 1)
        }
        let status = unsafe bytes.withUnsafeBytes { buffer in
            unsafe XML_Parse(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), length, 1)
        }
        if let refusal { throw refusal }
        guard status == XML_STATUS_OK, let root else {
            let code = unsafe XML_GetErrorCode(parser)
            // Expat also reports "no element" for a root that is never closed.
            if code == XML_ERROR_NO_ELEMENTS {
                if let last = open.last { throw error(.syntax, "the element \(last.name.prefix(40)) is never closed") }
                throw error(.empty, "the document contains no element")
            }
            throw error(.syntax, unsafe String(cString: XML_ErrorString(code)))
        }
        return root
    }

    private func setCallbacks() {
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(
            parser,
            { context, name, attributes in
                guard let name = unsafe name else { return }
                unsafe XMLParser.of(context)?.begin(
                    String(cString: name),
                    attributes: unsafe XMLParser.attributes(attributes)
                )
            },
            { context, _ in unsafe XMLParser.of(context)?.end() }
        )
        unsafe XML_SetCharacterDataHandler(parser) { context, text, count in
            guard let text = unsafe text else { return }
            let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(count))
            unsafe XMLParser.of(context)?.text.append(contentsOf: bytes)
        }
        unsafe XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
            unsafe XMLParser.of(context)?.refuse(.documentType, "a document type declaration is not allowed")
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> XMLParser? {
        unsafe context.map { unsafe Unmanaged<XMLParser>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Converts expat's list: names and values alternate, ended by a null pointer.
    private static func attributes(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [XMLAttribute] {
        var attributes: [XMLAttribute] = []
        guard let list = unsafe list else { return attributes }
        var index = 0
        while let name = unsafe list[index], let value = unsafe list[index + 1] {
            attributes.append(unsafe XMLAttribute(String(cString: name), String(cString: value)))
            index += 2
        }
        return attributes
    }

    private func begin(_ name: String, attributes: [XMLAttribute]) {
        endText()
        guard open.count < maximumDepth else {
            return refuse(.tooDeep, "elements are nested more than \(maximumDepth) deep")
        }
        open.append(XMLElement(name, attributes: attributes))
    }

    private func endText() {
        guard !text.isEmpty, let last = open.indices.last else { return }
        open[last].children.append(.text(String(decoding: text, as: UTF8.self)))
        text.removeAll(keepingCapacity: true)
    }

    private func end() {
        endText()
        guard let element = open.popLast() else { return }
        if let parent = open.indices.last {
            open[parent].children.append(.element(element))
        } else {
            root = element
        }
    }

    private func refuse(_ code: XMLError.Code, _ message: String) {
        guard refusal == nil else { return }
        refusal = error(code, message)
        _ = unsafe XML_StopParser(parser, XML_Bool(0))
    }

    private func error(_ code: XMLError.Code, _ message: String) -> XMLError {
        unsafe XMLError(
            code,
            message,
            line: Int(XML_GetCurrentLineNumber(parser)),
            column: Int(XML_GetCurrentColumnNumber(parser)) + 1
        )
    }
}
