import type { OperationName } from '../../contract/operation.ts';
import { childrenOf, detailsFields, eSignFields, operations } from './operations.ts';
import { childrenNamed, localPart, type XmlNode } from './xml-tree.ts';

/** An element as a schema declares it. */
interface Declared {
  readonly name: string;
  /** Local part of its type. */
  readonly type: string;
}

interface Expected {
  readonly name: string;
  readonly type: string;
}

function declaredIn(holder: XmlNode | undefined): readonly XmlNode[] {
  const type = holder?.local === 'complexType' ? holder : childrenNamed(holder, 'complexType')[0];
  return childrenNamed(childrenNamed(type, 'sequence')[0], 'element');
}

function declared(node: XmlNode): Declared {
  return { name: node.attributes.get('name') ?? '', type: localPart(node.attributes.get('type')) };
}

/** Names by place where number and types agree, else nothing: a guess would send values into wrong elements. */
function pair(expected: readonly Expected[], given: readonly Declared[]): readonly (readonly [string, string])[] {
  const same = (index: number) => expected[index]?.type === '*' || expected[index]?.type === given[index]?.type;
  if (expected.length !== given.length || !expected.every((_, index) => same(index))) return [];
  return expected.map(({ name }, index) => [name, given[index]?.name ?? ''] as const);
}

const detailTypes: readonly Expected[] = detailsFields.map((name) => ({
  name,
  type: name === 'Errors' ? 'int' : 'string',
}));
/** The two IDs are of a type of the service's own. */
const eSignTypes: readonly Expected[] = eSignFields.map((name) => ({
  name,
  type: name.endsWith('DocumentID') ? '*' : name === 'CreatedDate' ? 'dateTime' : 'string',
}));

/** What the names of one operation's request and reply are, by the interface's. */
function namesOf(
  operation: OperationName,
  elements: ReadonlyMap<string, XmlNode>,
  types: ReadonlyMap<string, XmlNode>,
) {
  const request = pair(childrenOf(operation), declaredIn(elements.get(operation)).map(declared));
  const [result, ...more] = declaredIn(elements.get(`${operation}Response`));
  if (!result || more.length > 0) return request;
  const reply = [[`${operation}Result`, declared(result).name]] as const;
  const inner = declaredIn(types.get(declared(result).type));
  const { result: kind } = operations[operation];
  if (kind === 'details') return [...request, ...reply, ...pair(detailTypes, inner.map(declared))];
  if (kind !== 'esign-list') return [...request, ...reply];
  const entry = inner[0] && types.get(declared(inner[0]).type);
  return [...request, ...reply, ...pair(eSignTypes, declaredIn(entry).map(declared))];
}

/**
 * The table of element names from a schema: `Child` where all operations agree, else `Operation.Child`; only names that
 * differ from the interface's are in it.
 */
export function elementNamesFrom(schemas: readonly XmlNode[], offered: readonly OperationName[]) {
  const named = (local: string) =>
    new Map(
      schemas
        .flatMap((schema) => childrenNamed(schema, local))
        .map((node) => [node.attributes.get('name') ?? '', node]),
    );
  const elements = named('element');
  const types = named('complexType');
  const uses = new Map<string, Map<OperationName, string>>();
  for (const operation of offered) {
    for (const [child, wire] of namesOf(operation, elements, types)) {
      uses.set(child, (uses.get(child) ?? new Map()).set(operation, wire));
    }
  }
  const table: [string, string][] = [];
  for (const [child, byOperation] of uses) {
    const all = new Set(byOperation.values());
    const [only = ''] = all;
    if (all.size === 1 && only !== child) table.push([child, only]);
    else if (all.size > 1) {
      for (const [operation, wire] of byOperation) if (wire !== child) table.push([`${operation}.${child}`, wire]);
    }
  }
  return Object.fromEntries(table);
}
