import { expect, it } from 'vitest';
import { atLength } from '../../harness/test-length.ts';
import { explore } from './explore.ts';
import { stepKinds } from './protocol.ts';
import type { Broken } from './register.ts';
import { allRules, type Rules } from './rules.ts';
import { initialState, type State } from './state.ts';

const onceEach = { crash: 1, cut: 1, off: 1, restore: 1, leave: 1, refuse: 1 };
const two = [
  [true, true],
  [false, true],
];
const three = [
  [true, true, true],
  [false, true, true],
];
const startsOf = (members: readonly boolean[][], documents: number, faults: Partial<State['left']>) =>
  members.map((each) => initialState(each, documents, faults));

/** Deeper than any state is from the start. */
const whole = 99;

const runs = [
  {
    name: 'two programs and a document, with a kill and a cut',
    members: two,
    documents: 1,
    faults: { crash: 1, cut: 1 },
    depth: { short: 10, ci: whole, all: whole },
  },
  {
    name: 'two programs and a document, with a restore and a program that is off',
    members: two,
    documents: 1,
    faults: { restore: 1, off: 1 },
    depth: { short: 8, ci: whole, all: whole },
  },
  {
    name: 'two programs and a document, with a restore and a kill',
    members: two,
    documents: 1,
    faults: { restore: 1, crash: 1 },
    depth: { short: 8, ci: whole, all: whole },
  },
  {
    name: 'two programs and a document, with leaving, off and refused',
    members: two,
    documents: 1,
    faults: { leave: 1, off: 1, refuse: 1 },
    depth: { short: 8, ci: whole, all: whole },
  },
  {
    name: 'two programs and a document, with leaving and a restore',
    members: two,
    documents: 1,
    faults: { leave: 1, restore: 1 },
    depth: { short: 8, ci: whole, all: whole },
  },
  {
    name: 'two programs and two documents, with a kill and a cut',
    members: two,
    documents: 2,
    faults: { crash: 1, cut: 1 },
    depth: { short: 5, all: 8 },
  },
  {
    name: 'two programs and a document, with each fault',
    members: two,
    documents: 1,
    faults: onceEach,
    depth: { short: 5, all: 8 },
  },
  {
    name: 'two programs and two documents, with each fault',
    members: two,
    documents: 2,
    faults: onceEach,
    depth: { short: 4, all: 6 },
  },
  {
    name: 'three programs and two documents, with each fault',
    members: three,
    documents: 2,
    faults: onceEach,
    depth: { short: 3, all: 5 },
  },
];

it.for(runs)('pays once, sends nothing cancelled, loses and leaves nothing: all orders of $name', (run) => {
  const depth = atLength(run.depth);
  const found = explore(startsOf(run.members, run.documents, run.faults), depth);
  expect(found.counterexample).toBeNull();
  expect(found.isWhole).toBe(depth === whole);
  if (run.faults === onceEach && run.documents === 1)
    expect(stepKinds.filter((kind) => !found.kinds[kind])).toEqual([]);
});

interface Need {
  readonly rule: keyof Rules;
  readonly broken: Broken;
  readonly faults?: Partial<State['left']>;
  readonly way: readonly string[];
}

/** What goes wrong without a rule, and a shortest way to it, by the number of the program. */
const needs: readonly Need[] = [
  { rule: 'claimsFirst', broken: 'paid twice without a decision', way: ['0: ask, send', '1: ask, send'] },
  {
    rule: 'claimsStay',
    broken: 'paid twice without a decision',
    way: ['0: ask, send', '0: crash, lost after', '1: ask, send'],
  },
  {
    rule: 'noticesRestores',
    broken: 'paid twice without a decision',
    way: ['0: take a copy', '0: ask, send', '1: follow', '0: restore', '1: ask, send'],
  },
  {
    rule: 'ownAnswersCount',
    broken: 'paid twice without a decision',
    way: ['0: take a copy', '0: ask, send', '0: restore, closed', '0: resume', '1: ask, send'],
  },
  {
    rule: 'resumesWhenAllReported',
    broken: 'paid twice without a decision',
    way: ['0: take a copy', '0: ask, send', '0: restore, closed', '0: resume', '1: ask, send'],
  },
  {
    rule: 'asksAnew',
    broken: 'paid twice without a decision',
    faults: { restore: 2, cut: 1 },
    way: [
      ...['0: take a copy', '0: ask, cut after', '0: restore, closed', '0: take a copy', '0: resume'],
      ...['0: ask, send', '0: restore', '0: resume', '1: ask, send'],
    ],
  },
  {
    rule: 'bypassEnds',
    broken: 'paid twice without a decision',
    way: ['0: ask, send', '1: go off', '1: decide without', '1: come back', '1: ask, send'],
  },
  {
    rule: 'bypassIsOnce',
    broken: 'paid twice without a decision',
    faults: { off: 2 },
    way: [...['0: ask, send', '1: go off', '1: decide without', '1: come back'], ...['1: go off', '1: send without']],
  },
  { rule: 'joiningReports', broken: 'paid twice without a decision', way: ['0: ask, send', '0: join', '1: ask, send'] },
  {
    rule: 'cancelCounts',
    broken: 'a cancelled one was sent',
    way: ['0: ask, cut before', '0: cancel', '0: ask, send'],
  },
  {
    rule: 'skipWaits',
    broken: 'skipped, and nobody has it',
    way: ['0: ask, send', '1: ask, send', '0: answer, refused', '1: decide to skip'],
  },
  { rule: 'leavingHandsOver', broken: 'waits for ever', way: ['0: ask, send', '0: leave'] },
  {
    rule: 'outboxRepeats',
    broken: 'waits for ever',
    way: ['0: ask, send', '0: answer, done', '0: report, cut before'],
  },
  {
    rule: 'doubtsAreNamed',
    broken: 'done, but the service does not have it',
    way: ['0: ask, send', '0: answer, lost before'],
  },
  {
    rule: 'asksAgain',
    broken: 'paid twice without a decision',
    way: ['0: ask, send', '1: ask, cut after', '0: join', '0: report', '1: ask, send'],
  },
  {
    rule: 'doubtsAreReleased',
    broken: 'waits for ever',
    faults: { crash: 1, cut: 1 },
    way: [
      '0: ask, send',
      '1: ask, send',
      '0: answer, lost before',
      '1: crash',
      '0: join',
      '1: declare',
      '1: settle for another',
    ],
  },
];

it.for(needs)('needs the rule $rule', ({ rule, broken, way, faults = onceEach }) => {
  const starts = startsOf(two, 1, faults);
  const found = explore(starts, 12, { ...allRules, [rule]: false }, { looksAhead: false });
  expect(found.counterexample?.steps.map(({ kind, p }) => `${p}: ${kind}`)).toEqual(way);
  expect(found.counterexample?.broken).toBe(broken);
});

it('knows a counterexample for each rule', () => {
  expect(needs.map(({ rule }) => rule).sort()).toEqual(Object.keys(allRules).sort());
});
