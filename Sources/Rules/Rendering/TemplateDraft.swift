/// The common part of the sends of one event, written once for all of them.
package struct TemplateDraft: Sendable {
    /// The parts in sequence, with a comma before each member except the first.
    let members: [UInt8]
    /// The part before the category, including the beginning of the object.
    let facts: Range<Int>
    /// The part between the category and the texts in the send's own language.
    let traits: Range<Int>
    /// The texts of all languages.
    let words: Range<Int>
    /// The time-dependent properties, a part of ``traits``, with the comma before them.
    let clockPart: Range<Int>
}
