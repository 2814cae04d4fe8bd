import type { SaxesTagNS } from 'saxes';
import type { WsdlRemark } from '../../../contract/connections.ts';
import type { OperationName } from '../../../contract/operation.ts';
import { appError } from '../../core/foundation/app-error.ts';
import { createXmlFeed } from '../reply/bounded-xml.ts';
import { type Child, childrenOf, detailsFields, eSignFields, operations } from '../service/operations.ts';

/** For one operation: the service's element names by the interface's names. */
export type NamesOfOperation = ReadonlyMap<string, string>;

export type DescribedNames = ReturnType<typeof describedNames>;

const classes: Readonly<Record<string, TypeClass>> = Object.fromEntries(
  (
    [
      ['text', 'string normalizedString token guid anyURI'],
      ['number', 'int integer long short byte unsignedInt unsignedShort unsignedByte nonNegativeInteger decimal'],
      ['boolean', 'boolean'],
      ['bytes', 'base64Binary'],
      ['time', 'dateTime date'],
    ] as const
  ).flatMap(([type, words]) => words.split(' ').map((word) => [word, type])),
);

function classOf(type: string): TypeClass {
  return Object.hasOwn(classes, type) ? (classes[type] as TypeClass) : 'other';
}

/** Element names that the contract accepts for a connection. */
const usableName = /^[\p{L}_][\p{L}\p{N}._-]{0,99}$/u;

type Declarations = ReturnType<typeof declarationsOf>;

/** Elements and types of all schemas; if two have the same name, the one in `namespaceUri` counts. */
function declarationsOf(schemas: readonly XmlNode[], namespaceUri: string) {
  const own = (schema: XmlNode) => schema.attributes.get('targetNamespace') === namespaceUri;
  const ordered = [...schemas.filter((schema) => !own(schema)), ...schemas.filter(own)];
  const named = (local: string) =>
    ordered.flatMap((schema) =>
      childrenNamed(schema, local).map((node) => [node.attributes.get('name') ?? '', { node, schema }] as const),
    );
  return {
    elements: new Map(named('element')),
    types: new Map(named('complexType').map(([name, { node }]) => [name, node])),
  };
}

function declaredIn(holder: XmlNode | undefined): readonly XmlNode[] {
  const type = holder?.local === 'complexType' ? holder : childrenNamed(holder, 'complexType')[0];
  const group = childrenNamed(type, 'sequence')[0] ?? childrenNamed(type, 'all')[0];
  return childrenNamed(group, 'element');
}

function declaredElement(node: XmlNode) {
  const { attributes } = node;
  return {
    name: attributes.get('name') ?? localPart(attributes.get('ref')),
    type: classOf(localPart(attributes.get('type'))),
    required: attributes.get('minOccurs') !== '0' && attributes.get('nillable') !== 'true',
  };
}

/** The elements inside an element: of its inline type, or of the type that it names. */
function contentOf(node: XmlNode | undefined, { types }: Declarations): readonly XmlNode[] {
  const type = localPart(node?.attributes.get('type'));
  return declaredIn(type ? types.get(type) : node);
}

interface Side {
  readonly expected: readonly Omit<Expected, 'known'>[];
  readonly given: readonly DeclaredElement[];
}

const requestTypes: Readonly<Record<Child['type'], TypeClass>> = {
  string: 'text',
  int: 'number',
  boolean: 'boolean',
  base64Binary: 'bytes',
};

function fieldsOf(operation: OperationName): readonly Omit<Expected, 'known'>[] {
  const { result } = operations[operation];
  if (result === 'details') {
    return detailsFields.map((name) => ({ name, type: name === 'Errors' ? 'number' : 'text' }));
  }
  if (result !== 'esign-list') return [];
  return eSignFields.map((name) => ({ name, type: name === 'CreatedDate' ? 'time' : 'text' }));
}

/** Request, response and record of one operation, to be aligned separately; null if the request is not declared. */
function sidesOf(operation: OperationName, declarations: Declarations): readonly Side[] | null {
  const request = declarations.elements.get(operation)?.node;
  if (!request) return null;
  const response = contentOf(declarations.elements.get(`${operation}Response`)?.node, declarations);
  const named = response.find((node) => node.attributes.get('name') === `${operation}Result`);
  const result = named ?? (response.length === 1 ? response[0] : undefined);
  const expected = childrenOf(operation).map(({ name, type }) => ({ name, type: requestTypes[type] }));
  const sides: Side[] = [{ expected, given: contentOf(request, declarations).map(declaredElement) }];
  if (!result) return [...sides, { expected: [{ name: `${operation}Result`, type: 'other' }], given: [] }];
  // Matched by position: a response holds only its result.
  sides.push({
    expected: [{ name: `${operation}Result`, type: 'other' }],
    given: [{ ...declaredElement(result), type: 'other' }],
  });
  const fields = fieldsOf(operation);
  if (fields.length === 0) return sides;
  const inner = contentOf(result, declarations);
  const record = operations[operation].result === 'details' ? inner : contentOf(inner[0], declarations);
  return [...sides, { expected: fields, given: record.map(declaredElement) }];
}

/** The names of one operation, and remarks on what could not be matched. */
function namesOf(operation: OperationName, sides: readonly Side[], knownOf: (child: string) => readonly string[]) {
  const names = new Map<string, string>();
  const remarks: WsdlRemark[] = [];
  for (const [index, side] of sides.entries()) {
    const expected = side.expected.map((one) => ({ ...one, known: knownOf(one.name) }));
    const found = align(
      expected,
      side.given.filter(({ name }) => usableName.test(name)),
    );
    for (const [child, name] of found.pairs) names.set(child, name);
    for (const child of found.moved) remarks.push({ kind: 'order-differs', about: `${operation}.${child}` });
    for (const child of found.unmatched) remarks.push({ kind: 'name-unmatched', about: `${operation}.${child}` });
    // An extra field of a reply is ignored; the service may need an extra child of a request.
    const inRequest = index === 0;
    for (const { name, required } of inRequest || found.unmatched.length > 0 ? found.extra : []) {
      const kind = inRequest && required ? 'element-required' : 'element-extra';
      remarks.push({ kind, about: operation, now: name });
    }
  }
  return { names, remarks };
}

/** Names that other operations established: an element has the same name in most of them. */
function learn(all: Iterable<NamesOfOperation>): (child: string) => readonly string[] {
  const learnt = new Map<string, Set<string>>();
  for (const names of all) {
    for (const [child, name] of names) learnt.set(child, (learnt.get(child) ?? new Set()).add(name));
  }
  return (child) => [...(learnt.get(child) ?? [])];
}

function namespaceOf(offered: readonly OperationName[], { elements }: Declarations): string | null {
  const uses = new Map<string, number>();
  for (const operation of offered) {
    const uri = elements.get(operation)?.schema.attributes.get('targetNamespace');
    if (uri) uses.set(uri, (uses.get(uri) ?? 0) + 1);
  }
  return [...uses].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/**
 * Finds the service's element names by operation in its schemas. `knownOf` returns names already in use. What cannot be
 * matched with certainty is only in the remarks.
 */
export function describedNames(
  schemas: readonly XmlNode[],
  offered: readonly OperationName[],
  targetNamespace: string,
  knownOf: (operation: OperationName, child: string) => readonly string[],
) {
  const declarations = declarationsOf(schemas, targetNamespace);
  const namespaceUri = namespaceOf(offered, declarations);
  const remarks: WsdlRemark[] = [];
  const described = offered.flatMap((operation) => {
    const sides = sidesOf(operation, declarations);
    if (sides) return [{ operation, sides }];
    remarks.push({ kind: 'not-described', about: operation });
    return [];
  });
  const first = described.map(({ operation, sides }) =>
    namesOf(operation, sides, (child) => knownOf(operation, child)),
  );
  const elsewhere = learn(first.map(({ names }) => names));
  const names = new Map<OperationName, NamesOfOperation>();
  for (const { operation, sides } of described) {
    const again = namesOf(operation, sides, (child) => [...knownOf(operation, child), ...elsewhere(child)]);
    names.set(operation, again.names);
    remarks.push(...again.remarks);
    const schema = declarations.elements.get(operation)?.schema;
    const uri = schema?.attributes.get('targetNamespace') ?? '';
    if (uri !== namespaceUri)
      remarks.push({ kind: 'other-namespace', about: operation, was: namespaceUri ?? '', now: uri });
    if (schema?.attributes.get('elementFormDefault') !== 'qualified' && childrenOf(operation).length > 0) {
      remarks.push({ kind: 'unqualified', about: operation });
    }
  }
  return {
    /** Only operations whose elements are declared, and only elements that could be matched. */
    names,
    /** Namespace of the request elements; null if none is declared. */
    namespaceUri,
    remarks,
  };
}

/** An element's type in a schema, as coarse as it helps to distinguish elements. */
type TypeClass = 'text' | 'number' | 'boolean' | 'bytes' | 'time' | 'other';

/** A child of the interface. */
interface Expected {
  readonly name: string;
  readonly type: TypeClass;
  /** The service's names for it elsewhere. */
  readonly known: readonly string[];
}

/** An element as the service's schema declares it. */
type DeclaredElement = ReturnType<typeof declaredElement>;

/** A schema may declare thousands of elements; the interface has 19 at most. */
const maxGiven = 100;

type Pair = readonly [expected: Expected, given: DeclaredElement];

/** True if an element is known by this name. The interface's own name of another child does not count. */
type IsCalled = (one: Expected, given: string) => boolean;

function namesAmong(expected: readonly Expected[]): IsCalled {
  const own = new Set(expected.map(({ name }) => name.toLowerCase()));
  return ({ name, known }, given) => {
    const lower = given.toLowerCase();
    if (own.has(lower)) return lower === name.toLowerCase();
    return known.some((one) => one.toLowerCase() === lower);
  };
}

/** Pairs whose names are known, each behind the one before in both lists. */
function anchors(
  expected: readonly Expected[],
  given: readonly DeclaredElement[],
  isCalled: IsCalled,
): readonly (readonly [number, number])[] {
  let from = 0;
  return expected.flatMap((one, i) => {
    const j = given.findIndex((other, at) => at >= from && isCalled(one, other.name));
    if (j < 0) return [];
    from = j + 1;
    return [[i, j] as const];
  });
}

function without<T>(list: readonly T[], index: number): readonly T[] {
  return [...list.slice(0, index), ...list.slice(index + 1)];
}

function inOrder(expected: readonly Expected[], given: readonly DeclaredElement[]): readonly Pair[] | null {
  const pairs = expected.map((one, index) => [one, given[index] as DeclaredElement] as const);
  return pairs.every(([one, other]) => one.type === other.type) ? pairs : null;
}

/**
 * Matches the elements between two anchors by position and type. If one side has one element more, each of its elements is left
 * out in turn, and only pairs that all fitting ways agree on count.
 */
function between(expected: readonly Expected[], given: readonly DeclaredElement[]): readonly Pair[] {
  const difference = expected.length - given.length;
  if (difference === 0) return inOrder(expected, given) ?? [];
  if (Math.abs(difference) > 1) return [];
  const longer = difference > 0 ? expected : given;
  const ways = longer.flatMap((_, index) => {
    const way = difference > 0 ? inOrder(without(expected, index), given) : inOrder(expected, without(given, index));
    return way ? [way] : [];
  });
  const [first = [], ...others] = ways;
  return first.filter(([one, other]) => others.every((way) => way.some(([a, b]) => a === one && b === other)));
}

/**
 * Finds a service's names for the children of the interface: first by known names, in order; then, between these, by
 * position and type, also if one side has one element more. Ambiguous elements are not matched, because a guess
 * would send values in wrong elements.
 */
function align(expected: readonly Expected[], declared: readonly DeclaredElement[]) {
  const given = declared.slice(0, maxGiven);
  const isCalled = namesAmong(expected);
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...anchors(expected, given, isCalled), [expected.length, given.length] as const]) {
    pairs.push(...between(expected.slice(i, nextI), given.slice(j, nextJ)));
    const [one, other] = [expected[nextI], given[nextJ]];
    if (one && other) pairs.push([one, other]);
    [i, j] = [nextI + 1, nextJ + 1];
  }
  const isFree = (other: DeclaredElement) => !pairs.some(([, taken]) => taken === other);
  const moved = expected
    .filter((one) => !pairs.some(([taken]) => taken === one))
    .flatMap((one): Pair[] => {
      const other = given.find((candidate) => isFree(candidate) && isCalled(one, candidate.name));
      return other ? [[one, other]] : [];
    });
  pairs.push(...moved);
  return {
    /** Interface name and the service's. */
    pairs: pairs.map(([one, other]) => [one.name, other.name] as const),
    /** Interface names among `pairs` whose position differs at the service. */
    moved: moved.map(([one]) => one.name),
    /** Interface names with no match, or more than one. */
    unmatched: expected.filter((one) => !pairs.some(([taken]) => taken === one)).map(({ name }) => name),
    /** Further elements that the service declares. */
    extra: given.filter(isFree),
  };
}

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
