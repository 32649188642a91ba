/// The property of a sent message that a device shows.
///
/// ```swift
/// NewsText.tutorial.expression(in: nil)           // $(messageParam)
/// NewsText.tutorial.expression(in: .french)       // $(News_French)
/// NewsText.newsflash.expression(in: .french)      // $(headline_fr)
/// ```
public enum NewsText: Hashable, Sendable {
    /// The tutorials' properties: `$(messageParam)`, and `$(News_<language>)` once a language is chosen.
    case tutorial
    /// The properties that newsflash itself fills: `$(headline)`, and `$(headline_<locale>)` once a language is chosen.
    case newsflash
    /// One expression for all languages, in the hub's language for templates, such as `{'News: ' + $(title)}`.
    ///
    /// It is inserted into the template's body unchanged: escape a double quote for JSON, and `<` for XML.
    case expression(String)

    /// The expression for a template.
    ///
    /// ```swift
    /// NewsText.newsflash.expression(in: try NewsLanguage(locale: "pt-BR", name: "Portuguese"))  // $(headline_pt_BR)
    /// ```
    ///
    /// - Parameter language: The language that the subscriber chose.
    /// - Returns: The expression, in the hub's language for templates.
    public func expression(in language: NewsLanguage?) -> String {
        switch self {
        case .tutorial: language.map { "$(News_\($0.name))" } ?? "$(messageParam)"
        case .newsflash: language.map { "$(headline_\($0.propertySuffix))" } ?? "$(headline)"
        case .expression(let expression): expression
        }
    }
}
