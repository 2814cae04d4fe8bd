import type { WsdlProposal } from '../../contract/connections.ts';
import { type OperationName, operationNames } from '../../contract/operation.ts';
import { failing, failureOf } from '../core/failing.ts';
import { createTextDecoding } from './decode-text.ts';
import { unreadable as fileUnreadable } from './open-document.ts';
import { readWhole } from './open-file.ts';
import { operations } from './operations.ts';
import { elementNamesFrom } from './wsdl-names.ts';
import { childrenNamed, localPart, readXmlTree, type XmlNode } from './xml-tree.ts';

/** A real one has 60 KB. */
export const maxWsdlBytes = 5 * 1024 * 1024;

const wsdlNamespace = 'http://schemas.xmlsoap.org/wsdl/';
const versions: ReadonlyMap<string, '1.1' | '1.2'> = new Map([
  ['http://schemas.xmlsoap.org/wsdl/soap/', '1.1'],
  ['http://schemas.xmlsoap.org/wsdl/soap12/', '1.2'],
]);

/** Why a text is no WSDL that can be used. */
export function wsdlUnusable(note: string) {
  return failing('bad-input', note, { detail: 'wsdl-unusable' });
}

interface Port {
  readonly version: '1.1' | '1.2';
  readonly address: string;
  readonly operations: readonly string[];
}

function portsOf(root: XmlNode): readonly Port[] {
  const bindings = new Map(childrenNamed(root, 'binding').map((node) => [node.attributes.get('name') ?? '', node]));
  const ports = childrenNamed(root, 'service').flatMap((service) => childrenNamed(service, 'port'));
  return ports.flatMap((port) => {
    const place = childrenNamed(port, 'address')[0];
    const version = versions.get(place?.uri ?? '');
    const binding = bindings.get(localPart(port.attributes.get('binding')));
    if (!version || !binding) return [];
    const names = childrenNamed(binding, 'operation').map((node) => node.attributes.get('name') ?? '');
    return [{ version, address: place?.attributes.get('location') ?? '', operations: names }];
  });
}

function addressOf(ports: readonly Port[], path: 'main' | 'easy-sign'): URL | null {
  const port = ports.find((one) =>
    one.operations.some((name) => operations[name as OperationName]?.path === path && URL.canParse(one.address)),
  );
  const url = port && new URL(port.address);
  return url && /^https?:$/.test(url.protocol) ? url : null;
}

const easySignEnd = '/easysign/v2/easysign.asmx';

/** Base and paths: the Easy Sign path is fixed by the interface, so what stands before it is the base, else the host is. */
function placesOf(main: URL | null, easySign: URL | null): WsdlProposal['settings'] {
  const origin = (main ?? easySign)?.origin;
  if (!origin) return {};
  const end = easySign?.pathname.toLowerCase().endsWith(easySignEnd) ? -easySignEnd.length : undefined;
  const before = end === undefined ? '' : (easySign?.pathname.slice(0, end) ?? '');
  const prefix = !main || main.pathname.startsWith(`${before}/`) ? before : '';
  return {
    baseUrl: `${origin}${prefix}`,
    ...(main ? { mainPath: main.pathname.slice(prefix.length) } : {}),
    ...(easySign && easySign.origin === origin ? { easySignPath: easySign.pathname.slice(prefix.length) } : {}),
  };
}

function treeOf(text: string): XmlNode {
  try {
    return readXmlTree(text, maxWsdlBytes);
  } catch (error) {
    throw wsdlUnusable(failureOf(error)?.note ?? 'not readable');
  }
}

/**
 * What a WSDL says about a service of this interface. Only what it says is in the proposal. Throws bad-input
 * (wsdl-unusable) for a text that is no WSDL 1.1 with a SOAP port and an operation of the interface.
 */
export function readWsdl(text: string): WsdlProposal {
  const root = treeOf(text);
  if (root.local !== 'definitions' || root.uri !== wsdlNamespace) throw wsdlUnusable('not a WSDL 1.1 description');
  const ports = portsOf(root);
  if (ports.length === 0) throw wsdlUnusable('no SOAP port in it');
  const names = new Set(ports.flatMap((port) => port.operations));
  const offered = operationNames.filter((name) => names.has(name));
  if (offered.length === 0) throw wsdlUnusable('none of the operations is in it');
  const schemas = childrenNamed(root, 'types').flatMap((types) => childrenNamed(types, 'schema'));
  const namespaceUri = root.attributes.get('targetNamespace') ?? '';
  return {
    settings: {
      ...placesOf(addressOf(ports, 'main'), addressOf(ports, 'easy-sign')),
      ...(namespaceUri ? { namespaceUri } : {}),
      elementNames: elementNamesFrom(schemas, offered),
    },
    soapVersions: [...new Set(ports.map((port) => port.version))].sort(),
    operations: offered,
    missing: operationNames.filter((name) => !names.has(name)),
  };
}

/** A WSDL from bytes, in whatever encoding they declare. Throws as readWsdl does. */
export function readWsdlBytes(bytes: Buffer, charset: string | null): WsdlProposal {
  const decoding = createTextDecoding(charset);
  let text: string;
  try {
    text = decoding.write(bytes) + decoding.end();
  } catch (error) {
    throw wsdlUnusable(failureOf(error)?.note ?? 'not readable');
  }
  return readWsdl(text);
}

/** A WSDL from a file of at most 5 MiB. Rejects as readWsdl throws, or with file-unreadable. */
export async function readWsdlFile({ path }: { readonly path: string }): Promise<WsdlProposal> {
  const bytes = await readWhole(path, maxWsdlBytes).catch((error: unknown) => {
    throw fileUnreadable(error);
  });
  if (!bytes) throw wsdlUnusable('too large for a description');
  return readWsdlBytes(bytes, null);
}
