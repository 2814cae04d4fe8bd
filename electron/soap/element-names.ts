import { type OperationName, operationNames } from '../../contract/operation.ts';
import { appError } from '../core/foundation/app-error.ts';
import type { ServiceTarget } from './client.ts';
import { childrenOf, detailsFields, eSignFields, operations } from './operations.ts';

type Table = ServiceTarget['elementNames'];

/**
 * Names that node-soap takes for commands to itself or that are no plain key of an object. No service can be spoken to
 * with them, so they are refused rather than sent wrong.
 */
const unusable = new Set(['_xml', '__proto__']);

/** What a table says of an element, for one operation or for all; undefined where it says nothing. */
export function tableName(table: Table, operation: OperationName, child: string): string | undefined {
  const own = `${operation}.${child}`;
  return Object.hasOwn(table, own) ? table[own] : Object.hasOwn(table, child) ? table[child] : undefined;
}

/**
 * What the service calls an element: `Operation.Child` in the connection's table, else `Child`, else the interface's own
 * name. Rejects with bad-input for a name that cannot be sent.
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

/** Names of the interface that a service may call otherwise, for one operation. */
export function elementsOf(operation: OperationName): readonly string[] {
  const { result } = operations[operation];
  const fields = result === 'details' ? detailsFields : result === 'esign-list' ? eSignFields : [];
  return [...childrenOf(operation).map(({ name }) => name), `${operation}Result`, ...fields];
}

const interfaceElements: ReadonlySet<string> = new Set(
  operationNames.flatMap((operation) => elementsOf(operation).flatMap((name) => [name, `${operation}.${name}`])),
);

/** True for `Child` and `Operation.Child` of the interface. Any other entry of a table would be without effect. */
export function isInterfaceElement(name: string): boolean {
  return interfaceElements.has(name);
}

/** From the service's names to the interface's, for the fields of a reply. */
export function interfaceNames(
  table: Table,
  operation: OperationName,
  fields: readonly string[],
): ReadonlyMap<string, string> {
  return new Map(fields.map((field) => [wireName(table, operation, field), field]));
}
