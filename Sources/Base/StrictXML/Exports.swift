// Re-exported because the reader returns these types.
@_exported public import NewsflashXMLText
