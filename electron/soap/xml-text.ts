import { notXml } from '../../contract/text.ts';

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
