/** Everything that XML 1.0 cannot carry: control characters, the two non-characters, halves of surrogate pairs. */
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
 * Text as it may stand in an element or in a quoted attribute. Without exceptions, whatever the text looks like: node-soap's own
 * escaping leaves a text of the form `<![CDATA[…]]>` as it is, which lets a document name write markup.
 */
export function escapeText(text: string): string {
  return text.replace(/[&<>"'\r]/g, (character) => references[character] ?? character);
}
