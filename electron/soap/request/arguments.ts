import type { OperationName } from '../../../contract/operation.ts';
import { notXml } from '../../../contract/text.ts';
import { appError } from '../../core/foundation/app-error.ts';
import type { Arguments, Credentials, DocumentSource } from '../service/client.ts';
import { type Child, childrenOf } from '../service/operations.ts';

/** One child of a request: text ready for the envelope, or a document that is streamed into its place. */
export interface OutgoingChild {
  readonly name: string;
  readonly value: string | DocumentSource;
}

function refuse(operation: OperationName, child: string, why: string): never {
  throw appError('bad-input', `${operation}.${child} ${why}`, { fields: { [child]: why } });
}

function outgoing(operation: OperationName, child: Child, value: Arguments[string]): string | DocumentSource {
  switch (child.type) {
    case 'base64Binary':
      return typeof value === 'object' ? value : refuse(operation, child.name, 'must be a document');
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : refuse(operation, child.name, 'must be true or false');
    case 'int':
      return typeof value === 'number' && (value | 0) === value
        ? String(value)
        : refuse(operation, child.name, 'must be a whole number of 32 bits');
    case 'string':
      if (typeof value !== 'string') return refuse(operation, child.name, 'must be a text');
      return isXmlText(value)
        ? escapeText(value)
        : refuse(operation, child.name, 'has a character that XML cannot carry');
  }
}

/** True if an absent child is sent as false: a connection may ask for that for optional booleans. */
export function goesOutAsFalse(child: Child, sendFalse: boolean): boolean {
  return sendFalse && child.type === 'boolean' && !child.required;
}

/**
 * The children of a request in the order of the operations table, checked against it. node-soap checks nothing: it would send
 * a wrong order, wrong types and unknown children. Throws bad-input, or not-connected if credentials are required and missing.
 */
export function outgoingChildren(
  operation: OperationName,
  args: Arguments,
  credentials: Credentials | null,
  sendFalse: boolean,
): readonly OutgoingChild[] {
  const table = childrenOf(operation);
  const secret = new Map<string, string>();
  if (table[0]?.name === 'apiKey') {
    if (!credentials) throw appError('not-connected', `${operation} needs credentials`);
    secret.set('apiKey', credentials.apiKey).set('apiSig', credentials.apiSig);
  }
  for (const name of Object.keys(args)) {
    if (secret.has(name) || !table.some((child) => child.name === name)) refuse(operation, name, 'is not a child');
  }
  return table.flatMap((child) => {
    const value = secret.get(child.name) ?? (Object.hasOwn(args, child.name) ? args[child.name] : undefined);
    const given = value === undefined && goesOutAsFalse(child, sendFalse) ? false : value;
    if (given === undefined) return child.required ? refuse(operation, child.name, 'is required') : [];
    return [{ name: child.name, value: outgoing(operation, child, given) }];
  });
}

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
