/** Characters that XML 1.0 excludes: control characters, the two non-characters, halves of surrogate pairs. */
const notXml =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

export function isXmlText(text: string): boolean {
  return !notXml.test(text);
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A parser would turn a bare carriage return into a line feed.
  '\r': '&#13;',
};

/**
 * Escapes text for an element or a quoted attribute, whatever it looks like: node-soap's own
 * escaping leaves a text of the form `<![CDATA[…]]>` unchanged, so that a document name could write markup.
 */
export function escapeText(text: string): string {
  return text.replace(/[&<>"'\r]/g, (character) => references[character] ?? character);
}
