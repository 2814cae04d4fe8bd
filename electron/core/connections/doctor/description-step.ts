import { type OperationName, operationNames } from '../../../../contract/operation.ts';
import type { ServiceTarget } from '../../../soap/service/client.ts';
import { tableName, wireName } from '../../../soap/service/element-names.ts';
import { operations } from '../../../soap/service/operations.ts';
import { fetchWsdl } from '../../../soap/wsdl/fetch-wsdl.ts';
import type { WsdlDescription } from '../../../soap/wsdl/read-wsdl.ts';
import { failureOf } from '../../foundation/app-error.ts';
import { listed } from './judge-reply.ts';
import type { Seen } from './step-runner.ts';

/** The service's WSDL, or in English why it could not be read. */
export type Described = { readonly description: WsdlDescription } | { readonly missing: string };

/** Reads the WSDL at `?wsdl` of an address. Reading it costs nothing; many services publish none. */
export async function descriptionAt(url: URL, target: ServiceTarget, signal: AbortSignal): Promise<Described> {
  const { proxy, proxyLogin, extraCa, identity, timeouts, elementNames } = target;
  const known = (operation: OperationName, child: string) => {
    const name = tableName(elementNames, operation, child);
    return name ? [name] : [];
  };
  try {
    const options = { proxy, proxyLogin, extraCa, identity, timeouts, signal, known };
    return { description: (await fetchWsdl(new URL('?wsdl', url).href, options)).description };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure || failure.code === 'cancelled') throw error;
    return { missing: `no WSDL at ?wsdl (${failure.note})` };
  }
}

/** The operations of one path that a WSDL describes. */
export function describedOperations({ ports }: WsdlDescription, path: 'main' | 'easy-sign'): readonly OperationName[] {
  const offered = new Set(ports.flatMap((port) => port.operations));
  return operationNames.filter((name) => operations[name].path === path && offered.has(name));
}

/** Compares the connection's element names and namespace with the WSDL's; null if they agree. */
export function judgeDescription(
  description: WsdlDescription,
  path: 'main' | 'easy-sign',
  target: ServiceTarget,
): Seen | null {
  const { namespaceUri } = description;
  if (namespaceUri !== '' && namespaceUri !== target.namespaceUri) {
    return {
      result: 'failed',
      note: `the WSDL names the namespace ${namespaceUri}, the connection ${target.namespaceUri}`,
      proposal: 'check-namespace',
    };
  }
  const offered = describedOperations(description, path);
  const differing = offered.flatMap((operation) =>
    [...(description.names.get(operation) ?? [])].flatMap(([child, name]) => {
      const used = wireName(target.elementNames, operation, child);
      return used === name
        ? []
        : [{ element: `${operation}.${child}`, words: `${operation} has ${name}, not ${used}` }];
    }),
  );
  if (differing.length > 0) {
    return {
      result: 'failed',
      note: `by the WSDL ${listed(differing.map(({ words }) => words))}`,
      proposal: 'read-wsdl',
      elements: differing.map(({ element }) => element),
    };
  }
  const unmatched = description.remarks.filter(
    ({ kind, about }) => kind === 'name-unmatched' && offered.some((operation) => about.startsWith(`${operation}.`)),
  );
  if (unmatched.length === 0) return null;
  const elements = unmatched.map(({ about }) => about);
  return { result: 'unclear', note: `the WSDL has no match for ${listed(elements)}`, proposal: 'read-wsdl', elements };
}

/**
 * Compares the element names of the main path with the service's WSDL: the only free check of the names in add
 * operations.
 */
export async function checkDescription(url: URL, target: ServiceTarget, signal: AbortSignal): Promise<Seen> {
  const found = await descriptionAt(url, target, signal);
  if ('missing' in found) return { result: 'not-tried', note: found.missing };
  const { description } = found;
  const judged = judgeDescription(description, 'main', target);
  if (judged) return judged;
  const count = describedOperations(description, 'main').filter((name) => description.names.has(name)).length;
  if (count === 0) return { result: 'not-tried', note: 'the WSDL describes no elements' };
  return { note: `as in the WSDL, ${count} operations` };
}
