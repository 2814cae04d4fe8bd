import { type OperationName, operationNames } from '../../contract/operation.ts';
import { operations } from './operations.ts';
import { childrenNamed, localPart, type XmlNode } from './xml-tree.ts';

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
