/** An element's type in a schema, as coarse as it helps to distinguish elements. */
export type TypeClass = 'text' | 'number' | 'boolean' | 'bytes' | 'time' | 'other';

/** A child of the interface. */
export interface Expected {
  readonly name: string;
  readonly type: TypeClass;
  /** The service's names for it elsewhere. */
  readonly known: readonly string[];
}

/** An element as the service's schema declares it. */
export interface DeclaredElement {
  readonly name: string;
  readonly type: TypeClass;
  readonly required: boolean;
}

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
export function align(expected: readonly Expected[], declared: readonly DeclaredElement[]) {
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
