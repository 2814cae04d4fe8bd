import type { WsdlRemark } from '../../../contract/connections.ts';
import { type OperationName, operationNames } from '../../../contract/operation.ts';
import { elementsOf, isInterfaceElement, tableName } from '../../soap/service/element-names.ts';

type Table = Readonly<Record<string, string>>;

/**
 * Merges the element names of a WSDL into a connection's table. Only operations that the WSDL describes change, so
 * that of two WSDLs the second does not undo the first. Every change is in the remarks.
 */
export function mergeNames(
  table: Table,
  described: ReadonlyMap<OperationName, ReadonlyMap<string, string>>,
): { readonly table: Table; readonly remarks: readonly WsdlRemark[] } {
  const uses = new Map<string, Map<OperationName, string>>();
  const remarks = new Map<string, WsdlRemark>();
  const remark = (kind: 'name-changed' | 'name-found', operation: OperationName, child: string, now: string) => {
    const was = tableName(table, operation, child);
    const key = JSON.stringify([kind, child, was, now]);
    const about = [remarks.get(key)?.about, `${operation}.${child}`].filter(Boolean).join(', ');
    remarks.set(key, { kind, about, ...(was === undefined ? {} : { was }), now });
  };
  for (const operation of operationNames) {
    for (const child of elementsOf(operation)) {
      const before = tableName(table, operation, child);
      const now = described.get(operation)?.get(child) ?? before ?? child;
      if (before !== undefined && before !== now) remark('name-changed', operation, child, now);
      else if (before === undefined && now !== child) remark('name-found', operation, child, now);
      uses.set(child, (uses.get(child) ?? new Map()).set(operation, now));
    }
  }
  // A key that is not an element of the interface may be half typed: it stays as it is.
  const unknownKeys = Object.entries(table).filter(([key]) => !isInterfaceElement(key));
  return {
    table: Object.fromEntries([...[...uses].flatMap(([child, by]) => rowsOf(child, by)), ...unknownKeys]),
    remarks: [...remarks.values()],
  };
}

/** Key `Child` for the name that most operations use, `Operation.Child` for the others. */
function rowsOf(child: string, byOperation: ReadonlyMap<OperationName, string>): [string, string][] {
  const counts = new Map<string, number>([[child, 0.5]]);
  for (const name of byOperation.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [[usual = child] = []] = [...counts].sort(([, a], [, b]) => b - a);
  const others = [...byOperation].filter(([, name]) => name !== usual);
  return [
    ...(usual === child ? [] : [[child, usual] as [string, string]]),
    ...others.map(([operation, name]): [string, string] => [`${operation}.${child}`, name]),
  ];
}
