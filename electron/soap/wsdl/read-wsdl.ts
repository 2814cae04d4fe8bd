import type { WsdlRemark } from '../../../contract/connections.ts';
import { type OperationName, operationNames } from '../../../contract/operation.ts';
import { readWhole } from '../../core/files/open-file.ts';
import { appError, failureOf } from '../../core/foundation/app-error.ts';
import { createTextDecoding } from '../reply/decode-text.ts';
import { unreadable as fileUnreadable } from '../request/send-document.ts';
import { operations } from '../service/operations.ts';
import {
  childrenNamed,
  type DescribedNames,
  describedNames,
  localPart,
  readXmlTree,
  type XmlNode,
} from './wsdl-names.ts';

/** Real ones have about 60 KB. */
export const maxWsdlBytes = 5 * 1024 * 1024;

const wsdlNamespace = 'http://schemas.xmlsoap.org/wsdl/';

/** The failure for a text that is no usable WSDL. */
export function wsdlUnusable(note: string) {
  return appError('bad-input', note, { detail: 'wsdl-unusable' });
}

/** The content of a WSDL, unchanged. */
export interface WsdlDescription {
  readonly namespaceUri: string;
  /** Ports with an operation of the interface. */
  readonly ports: readonly WsdlPort[];
  readonly names: DescribedNames['names'];
  /** What could not be taken over unchanged, as kinds and names without sentences. */
  readonly remarks: readonly WsdlRemark[];
}

/** Names already in use for an element. */
export type KnownNames = (operation: OperationName, child: string) => readonly string[];

function treeOf(text: string): XmlNode {
  try {
    return readXmlTree(text, maxWsdlBytes);
  } catch (error) {
    throw wsdlUnusable(failureOf(error)?.note ?? 'not readable');
  }
}

/** Reports parts at other addresses. They are not fetched, because a description may name any address. */
function remarkImports(root: XmlNode, schemas: readonly XmlNode[]): readonly WsdlRemark[] {
  const parts = [
    ...childrenNamed(root, 'import').map((node) => node.attributes.get('location')),
    ...schemas.flatMap((schema) =>
      ['import', 'include'].flatMap((local) =>
        childrenNamed(schema, local).map((node) => node.attributes.get('schemaLocation')),
      ),
    ),
  ].filter((part) => part);
  return parts.length > 0 ? [{ kind: 'imports', about: '', now: parts.slice(0, 5).join(', ').slice(0, 500) }] : [];
}

/** Reports other actions: requests use the namespace directly followed by the operation's name, and a service with another action refuses it. */
function remarkActions(ports: readonly WsdlPort[], namespaceUri: string): readonly WsdlRemark[] {
  const found = new Map<string, WsdlRemark>();
  for (const { actions } of ports) {
    for (const [name, action] of actions) {
      const expected = `${namespaceUri}${name}`;
      if (!operationNames.includes(name as OperationName) || action === expected) continue;
      found.set(name, { kind: 'other-action', about: name, was: expected, now: action.slice(0, 500) });
    }
  }
  return [...found.values()];
}

/**
 * Reads a WSDL of a service with this interface. Throws bad-input (wsdl-unusable) for a text that is no WSDL 1.1 with
 * a SOAP port and an operation of the interface.
 */
export function readWsdl(text: string, known: KnownNames = () => []): WsdlDescription {
  const root = treeOf(text);
  if (root.local !== 'definitions' || root.uri !== wsdlNamespace) throw wsdlUnusable('not a WSDL 1.1 description');
  const schemas = childrenNamed(root, 'types').flatMap((types) => childrenNamed(types, 'schema'));
  const imports = remarkImports(root, schemas);
  const all = portsOf(root);
  if (all.length === 0) {
    throw wsdlUnusable(imports[0] ? `no SOAP port in it, only a reference to ${imports[0].now}` : 'no SOAP port in it');
  }
  const ports = all.filter((port) => offeredAt(port, 'main').length + offeredAt(port, 'easy-sign').length > 0);
  if (ports.length === 0) throw wsdlUnusable('none of the operations is in it');
  const offered = operationNames.filter((name) => ports.some((port) => port.operations.includes(name)));
  const targetNamespace = root.attributes.get('targetNamespace') ?? '';
  const { names, remarks, namespaceUri } = describedNames(schemas, offered, targetNamespace, known);
  const namespace = namespaceUri ?? targetNamespace;
  return {
    namespaceUri: namespace,
    ports,
    names,
    remarks: [...imports, ...remarks, ...remarkActions(ports, namespace)],
  };
}

/** Reads a WSDL from bytes in the encoding that they declare. Throws as readWsdl does. */
export function readWsdlBytes(bytes: Buffer, charset: string | null, known?: KnownNames): WsdlDescription {
  const decoding = createTextDecoding(charset);
  let text: string;
  try {
    text = decoding.write(bytes) + decoding.end();
  } catch (error) {
    throw wsdlUnusable(failureOf(error)?.note ?? 'not readable');
  }
  return readWsdl(text, known);
}

/** Reads a WSDL from a file of at most 5 MiB. Rejects as readWsdl throws, or with file-unreadable. */
export async function readWsdlFile({ path }: { readonly path: string }, known?: KnownNames): Promise<WsdlDescription> {
  const bytes = await readWhole(path, maxWsdlBytes).catch((error: unknown) => {
    throw fileUnreadable(error);
  });
  if (!bytes) throw wsdlUnusable('too large for a description');
  return readWsdlBytes(bytes, null, known);
}

/** One SOAP port of a description: one address in one SOAP version. */
export interface WsdlPort {
  readonly version: '1.1' | '1.2';
  /** As written: it may be relative, empty or no address at all. */
  readonly address: string;
  readonly operations: readonly string[];
  /** By operation, if the binding names one. */
  readonly actions: ReadonlyMap<string, string>;
}

const versions: ReadonlyMap<string, '1.1' | '1.2'> = new Map([
  ['http://schemas.xmlsoap.org/wsdl/soap/', '1.1'],
  ['http://schemas.xmlsoap.org/wsdl/soap12/', '1.2'],
]);

/** The SOAP ports of all services of a description. */
export function portsOf(root: XmlNode): readonly WsdlPort[] {
  const bindings = new Map(childrenNamed(root, 'binding').map((node) => [node.attributes.get('name') ?? '', node]));
  const ports = childrenNamed(root, 'service').flatMap((service) => childrenNamed(service, 'port'));
  return ports.flatMap((port) => {
    const addressNode = childrenNamed(port, 'address')[0];
    const version = versions.get(addressNode?.uri ?? '');
    const binding = bindings.get(localPart(port.attributes.get('binding')));
    if (!version || !binding) return [];
    const bound = childrenNamed(binding, 'operation');
    const nameOf = (node: XmlNode) => node.attributes.get('name') ?? '';
    const actions = bound.flatMap((node) => {
      const action = childrenNamed(node, 'operation')[0]?.attributes.get('soapAction');
      return action === undefined ? [] : [[nameOf(node), action] as const];
    });
    const address = (addressNode?.attributes.get('location') ?? '').trim();
    return [{ version, address, operations: bound.map(nameOf), actions: new Map(actions) }];
  });
}

/** Operations of the interface that a port offers at one of the two paths. */
export function offeredAt(port: WsdlPort, path: 'main' | 'easy-sign'): readonly OperationName[] {
  return operationNames.filter((name) => operations[name].path === path && port.operations.includes(name));
}
