import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';
import { atLength } from '../harness/test-length.ts';
import { behaviours } from './behaviours.ts';
import { runAll } from './run-all.ts';

/** Of every sixth group (before a change is taken: fourth) a behaviour with a read or one with an add in turn; `npm run test:hostile` runs all of them. */
const groups = [...new Set(behaviours.map(({ group }) => group))];
const everyGroup = atLength({ short: 6, all: 1 });
const chosen = groups.flatMap((group, at) => {
  if (at % everyGroup !== everyGroup - 1) return [];
  const own = behaviours.filter((one) => one.group === group);
  const isAdd = ({ operation }: (typeof own)[number]) => operation.startsWith('Add');
  const middle = own.slice(Math.floor(own.length / 2));
  const both = [middle.find((one) => !isAdd(one)), middle.find(isAdd)].filter((one) => one !== undefined);
  return both.slice(at % both.length).slice(0, 1);
});

describe('a hostile server', () => {
  let cli: CommandLine;
  beforeAll(async () => {
    cli = await buildCommandLine();
  });
  afterAll(() => cli.remove());

  it('gets the right failure, no second add, and neither time nor memory', async () => {
    expect(behaviours.length).toBeGreaterThan(150);
    const results = await runAll(cli, chosen);
    expect(results).toHaveLength(chosen.length);
    const wrong = results.filter(({ faults }) => faults.length > 0);
    expect(wrong.map(({ behaviour, faults }) => [behaviour.group, behaviour.name, ...faults])).toEqual([]);
  }, 600_000);
});
