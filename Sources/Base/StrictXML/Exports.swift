// What is read is made of these types, and who reads often writes.
@_exported public import XMLText
