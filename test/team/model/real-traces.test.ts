import { expect, it } from 'vitest';
import { atEnd } from '../../core/jobs-setup.ts';
import { newTeamRegister } from '../../harness/postgres.ts';
import { atLength } from '../../harness/test-length.ts';
import { backUp } from '../restore-in-place.ts';
import { type StepKind, stepKinds } from './protocol.ts';
import { newRealTeam } from './real-team.ts';
import { type ActionKind, act, endOf, newTrace, newWorld, type Trace, type World } from './traces.ts';

/** Traces that run at the same time, each with a database of its own: they wait most of the time. */
const atOnce = 4;

/** `SEALDESK_TRACES=37+1` runs one of them again. */
const [first = 0, count = 0] = (process.env.SEALDESK_TRACES ?? `0+${atLength({ short: 4, all: 500 })}`)
  .split('+')
  .map(Number);

const textOf = ({ members, documents, actions }: Trace) =>
  `${members.filter(Boolean).length} of ${members.length} joined, ${documents} documents: ${actions.map(({ kind, p, d }) => `${kind} ${p}.${d}`).join(' | ')}`;

/** Long enough for a machine that does much else. */
const traceMs = 20_000;

it(`does in ${count} traces what the model says`, { timeout: 60_000 + count * traceMs }, async (test) => {
  const chosen = new Map<StepKind, number>();
  const traces = Array.from({ length: first + count }, (_each, seed) => newTrace(seed, 8, chosen)).slice(first);
  const left = [...traces.entries()];
  const wrong: string[] = [];
  const lane = async () => {
    const postgres = await newTeamRegister(test);
    atEnd(() => postgres.close());
    const admin = await postgres.admin();
    atEnd(() => admin.close());
    const empty = await backUp(admin, 'empty');
    for (let next = left.shift(); next; next = left.shift()) {
      const [n, trace] = next;
      const failure = await run(postgres, trace).catch((error: unknown) => String(error));
      if (failure !== null) {
        wrong.push(`trace ${first + n}, ${textOf(trace)}\n  ${failure}`);
        // At once: a run of all takes long.
        console.error(wrong.at(-1));
      }
      // What a killed program left may still hold something.
      await admin.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      await empty.restore();
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane));
  expect(wrong.join('\n')).toBe('');
  if (count < 500) return;
  const kinds = new Set(traces.flatMap((trace) => [...trace.kinds]));
  expect(stepKinds.filter((kind) => !kinds.has(kind))).toEqual([]);
});

/** Traces that chance seldom draws, of program and document: `0.1 kind`. */
const drawn = [
  {
    name: 'a decision to send without the register ends when that is back, although it is closed',
    actions: ['0.0 take a copy', '1.1 ask, send', '0.0 go off', '0.0 decide without', '0.0 restore, closed'],
    outcome: ['0.0 come back', '0.0 ask, send'],
  },
  {
    name: 'a decision to send without the register does not hold the next time that it is away',
    actions: ['1.0 ask, send', '1.0 answer, done', '0.0 go off', '0.0 decide without', '0.0 come back', '0.0 go off'],
    outcome: ['0.0 ask, send', '0.1 ask, send', '0.0 come back'],
  },
];

it.for(drawn)('$name', async ({ actions, outcome }, test) => {
  const members = [true, true];
  const given = [...actions, ...outcome].map((text) => {
    const [, p, d, kind] = /^(\d)\.(\d) (.+)$/.exec(text) ?? [];
    return { p: Number(p), d: Number(d), kind: kind as ActionKind };
  });
  let world: World = newWorld(members, 2);
  for (const action of given) world = act(world, action) as World;
  const postgres = await newTeamRegister(test);
  atEnd(() => postgres.close());
  expect(await run(postgres, { members, documents: 2, actions: [...given, ...(endOf(world) ?? [])] })).toBeNull();
});

/** Drives a trace through the real programs. Answers what was otherwise than in the model. */
async function run(
  postgres: Parameters<typeof newRealTeam>[0],
  { members, documents, actions }: Omit<Trace, 'kinds'>,
): Promise<string | null> {
  const team = await newRealTeam(postgres, members, documents);
  try {
    let world = newWorld(members, documents);
    for (const [n, action] of actions.entries()) {
      const next = act(world, action);
      if (!next) throw new Error(`action ${n} is not possible`);
      const failed = await team.act(action, world).then(
        () => null,
        (error: unknown) => String(error),
      );
      const different = failed ?? (await team.becomes(next, 30_000));
      if (different !== null) return `after ${action.kind} ${action.p}.${action.d} (${n + 1}): ${different}`;
      world = next;
    }
    return null;
  } finally {
    await team.close();
  }
}
