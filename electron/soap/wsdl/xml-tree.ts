import type { SaxesTagNS } from 'saxes';
import { appError } from '../../core/foundation/app-error.ts';
import { createXmlFeed } from '../reply/bounded-xml.ts';

const maxNodes = 200_000;

/** An element of a description, with attributes by local name and without text, which a WSDL does not need. */
export interface XmlNode {
  readonly local: string;
  readonly uri: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlNode[];
}

function nodeOf(tag: SaxesTagNS): XmlNode & { readonly children: XmlNode[] } {
  const attributes = new Map(Object.values(tag.attributes).map(({ local, value }) => [local, value]));
  return { local: tag.local, uri: tag.uri, attributes, children: [] };
}

/** Reads a small XML text as a tree. Throws reply-unreadable as bounded-xml.ts does. */
export function readXmlTree(text: string, totalUnits: number): XmlNode {
  const open: { readonly children: XmlNode[] }[] = [{ children: [] }];
  const top = open[0] as { readonly children: XmlNode[] };
  let nodes = 0;
  const feed = createXmlFeed(
    {
      open(tag) {
        nodes += 1;
        if (nodes > maxNodes) throw appError('reply-unreadable', 'too many elements', { detail: 'reply-too-large' });
        const node = nodeOf(tag);
        open.at(-1)?.children.push(node);
        open.push(node);
      },
      text: () => undefined,
      close: () => void open.pop(),
    },
    // In words of a description they change nothing.
    { totalUnits, onReplaced: () => undefined },
  );
  feed.write(text);
  feed.end();
  return top.children[0] as XmlNode;
}

/** Children with a local name, whatever their namespace. */
export function childrenNamed(node: XmlNode | undefined, local: string): readonly XmlNode[] {
  return node?.children.filter((child) => child.local === local) ?? [];
}

/** The local part of a qualified name in an attribute. */
export function localPart(name: string | undefined): string {
  return (name ?? '').replace(/^.*:/, '');
}
