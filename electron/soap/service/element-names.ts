import { type OperationName, operationNames } from '../../../contract/operation.ts';
import { appError } from '../../core/foundation/app-error.ts';
import type { ServiceTarget } from './client.ts';
import { childrenOf, detailsFields, eSignFields, operations } from './operations.ts';

type Table = ServiceTarget['elementNames'];

/**
 * Names that node-soap treats as commands or that are no plain key of an object. node-soap cannot send them, so they are
 * refused instead of sent wrong.
 */
const unusable = new Set(['_xml', '__proto__']);

/** An element's name in the table, for one operation or for all; undefined without an entry. */
export function tableName(table: Table, operation: OperationName, child: string): string | undefined {
  const own = `${operation}.${child}`;
  return Object.hasOwn(table, own) ? table[own] : Object.hasOwn(table, child) ? table[child] : undefined;
}

/**
 * The service's name of an element: `Operation.Child` in the connection's table, else `Child`, else the interface's own
 * name. Throws bad-input for a name that cannot be sent.
 */
export function wireName(table: Table, operation: OperationName, child: string): string {
  const own = `${operation}.${child}`;
  const name = tableName(table, operation, child) ?? child;
  if (!name || unusable.has(name)) {
    throw appError('bad-input', `element name for ${own} cannot be used`, {
      fields: { [`elementNames.${own}`]: 'cannot be used as an element name' },
    });
  }
  return name;
}

/** What the service calls a signer's secret word. */
export function secretWordName(table: Table): string {
  return tableName(table, 'GetESignList', 'SecretWord') ?? 'SecretWord';
}

/** Names of the interface for which a service may have other names, for one operation. */
export function elementsOf(operation: OperationName): readonly string[] {
  const { result } = operations[operation];
  const fields = result === 'details' ? detailsFields : result === 'esign-list' ? eSignFields : [];
  return [...childrenOf(operation).map(({ name }) => name), `${operation}Result`, ...fields];
}

const interfaceElements: ReadonlySet<string> = new Set(
  operationNames.flatMap((operation) => elementsOf(operation).flatMap((name) => [name, `${operation}.${name}`])),
);

/** True for `Child` and `Operation.Child` of the interface. Any other entry of a table has no effect. */
export function isInterfaceElement(name: string): boolean {
  return interfaceElements.has(name);
}

/** The first entry of a table that has no effect or cannot be sent; null if there is none. */
export function elementNamesProblem(table: Table): { readonly element: string; readonly why: string } | null {
  for (const [element, name] of Object.entries(table)) {
    if (!isInterfaceElement(element)) return { element, why: 'is no element of the interface' };
    if (unusable.has(name)) return { element, why: 'cannot be used as an element name' };
  }
  for (const operation of operationNames) {
    const sent = childrenOf(operation).map((child) => wireName(table, operation, child.name));
    const twice = sent.find((name, at) => sent.indexOf(name) !== at);
    if (twice !== undefined) return { element: operation, why: `gives two children the name ${twice}` };
  }
  return null;
}

/** The interface's names by the service's names, for the fields of a reply. */
export function interfaceNames(
  table: Table,
  operation: OperationName,
  fields: readonly string[],
): ReadonlyMap<string, string> {
  return new Map(fields.map((field) => [wireName(table, operation, field), field]));
}
