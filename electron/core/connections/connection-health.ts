import { z } from 'zod';
import {
  type ConnectionHealth,
  connectionHealthStates,
  type DoctorReport,
  doctorSteps,
  policyStep,
} from '../../../contract/connections.ts';
import { type Failure, isServiceAway } from '../../../contract/failure.ts';
import { negativeCode } from '../../soap/reply/answers.ts';
import { refusal } from '../../soap/reply/refusal.ts';
import type { KeyValueTable } from '../../store/settings/key-values.ts';

type State = ConnectionHealth['state'];

/** One call over a connection. */
export interface WatchedCall {
  readonly operation: string;
  /** When it began, by `performance.now()`: a clock that is set changes nothing. */
  readonly begunAt: number;
}

/** Records a result of a call, or of a check with its failed step; null for one that shows nothing. Ignored if settings or credentials changed since it was created. */
export type HealthRecorder = (state: State | null, from?: WatchedCall | Pick<ConnectionHealth, 'faultStep'>) => void;

/** What is known of each connection, kept over restarts. */
export type ConnectionHealthStore = ReturnType<typeof createConnectionHealthStore>;

interface Needs {
  readonly settings: KeyValueTable;
  readonly onChange: () => void;
}

/** The same result is written again only after this time. */
const againAfterMs = 60_000;
/** An answer shows for this long that the service can be reached, although an operation fails. */
const answerHoldsMs = 5 * 60_000;
/** `faultAt`: when the last check found a fault, or (`found`) left something open. */
const stored = z.object({
  state: z.enum(connectionHealthStates),
  at: z.iso.datetime(),
  faultAt: z.iso.datetime().optional(),
  found: z.enum(['faulty', 'unclear']).default('faulty'),
  faultStep: z.enum([...doctorSteps, policyStep]).optional(),
});
type Known = z.output<typeof stored>;
const keyOf = (id: string) => `health.${id}`;

/**
 * Opens what is known of connections. A result that cannot be written to the settings table is known for this run only: a full disk or a busy database
 * must not fail a call, above all no add that the service has carried out. Nothing is written later: the database may be closed by then.
 */
export function createConnectionHealthStore({ settings, onChange }: Needs) {
  const changes = new Map<string, number>();
  const ofThisRun = new Map<string, Known>();
  const reach = new Map<string, Reach>();
  const of = (id: string): Known | undefined => {
    const text = settings.get(keyOf(id));
    const written = text === null ? undefined : parsed(text);
    const seen = ofThisRun.get(id);
    // Another program may have written a later one.
    return seen && (!written || seen.at > written.at) ? seen : written;
  };
  const write = (id: string, health: Known) => {
    try {
      // The next call shows it again. A wait for the disk would be one for all that a list was just written with.
      settings.putUnsynced(keyOf(id), JSON.stringify(health));
    } catch {
      // As above.
    }
  };
  return {
    of,
    ofAll: (ids: readonly string[]): Readonly<Record<string, Known>> => {
      const known = ids.map((id) => [id, of(id)] as const);
      return Object.fromEntries(known.flatMap(([id, one]) => (one ? [[id, one]] : [])));
    },
    recorder: (id: string): HealthRecorder => {
      const begun = changes.get(id);
      return (shown, from = {}) => {
        const call = 'operation' in from ? from : undefined;
        if (shown === null || changes.get(id) !== begun) return;
        const seen = (call && reach.get(id)) ?? newReach();
        reach.set(id, seen);
        if (call && noteCall(seen, shown, call)) return;
        const now = new Date().toISOString();
        const isFound = shown === 'faulty' || shown === 'unclear';
        const checked: Partial<Known> = isFound ? { ...from, faultAt: now, found: shown } : {};
        const { faultAt, faultStep, found = 'faulty' } = call ? (ofThisRun.get(id) ?? of(id) ?? {}) : checked;
        // Calls need not take the way on which the check found the fault.
        const state = shown === 'works' && faultAt ? found : shown;
        const before = ofThisRun.get(id);
        const isSame = before?.state === state && before.faultAt === faultAt;
        if (isSame && (state === found || Date.now() - Date.parse(before.at) < againAfterMs)) return;
        const health = { state, at: (state === found && faultAt) || now, faultAt, faultStep, found };
        ofThisRun.set(id, health);
        write(id, health);
        onChange();
      };
    },
    /** Settings or credentials changed: nothing is known any more. */
    forget: (id: string): void => {
      changes.set(id, (changes.get(id) ?? 0) + 1);
      ofThisRun.delete(id);
      reach.delete(id);
      if (settings.get(keyOf(id)) !== null) settings.remove(keyOf(id));
    },
  };
}

/** What the calls over one connection have shown in this run, by `performance.now()`. */
interface Reach {
  answeredAt: number;
  /** When the first call began of those in a row that did not reach the service, by operation. */
  readonly failingSince: Map<string, number>;
}

const newReach = (): Reach => ({ answeredAt: 0, failingSince: new Map() });

const notReached: readonly State[] = ['unreachable', 'away', 'page', 'redirected'];

/** Notes the result of a call. True if its operation alone does not get through: others have been answered since it began to fail. */
function noteCall(reach: Reach, state: State, { operation, begunAt }: WatchedCall): boolean {
  const { failingSince } = reach;
  if (!notReached.includes(state)) {
    failingSince.delete(operation);
    reach.answeredAt = performance.now();
    return false;
  }
  const since = failingSince.get(operation) ?? begunAt;
  failingSince.set(operation, since);
  return reach.answeredAt > since && performance.now() - reach.answeredAt < answerHoldsMs;
}

/** What the text of a reply shows: a code for wrong credentials, another code (which shows nothing), or none. */
export function healthOfText(text: string | null): State | null {
  const code = negativeCode(text);
  return code === null ? 'works' : healthOfFailure(refusal(code, '').failure);
}

/** Something answered, though not the service: that it cannot be reached would send a person to the wrong place. */
const answeredBy: Readonly<Record<string, State>> = {
  'http-status': 'away',
  'html-page': 'page',
  redirected: 'redirected',
};

/** What a failed call shows. */
export function healthOfFailure(failure: Failure): State | null {
  if (failure.code === 'credentials-rejected') return 'credentials-refused';
  if (!isServiceAway(failure)) return null;
  return answeredBy[failure.detail ?? ''] ?? 'unreachable';
}

/** What a check shows; null if nothing failed and no credentials were tried. */
export function healthOfReport({ steps }: Pick<DoctorReport, 'steps'>): State | null {
  const failed = steps.filter(({ result }) => result === 'failed');
  if (failed.some(({ failure }) => failure?.code === 'credentials-rejected')) return 'credentials-refused';
  if (failed.some(({ step }) => onTheWay.includes(step))) return 'unreachable';
  const tried = steps.find(({ step }) => step === 'credentials')?.result;
  const [away] = failed.flatMap(({ failure }) => (failure && healthOfFailure(failure)) ?? []);
  // One of its paths may be away while the other is answered.
  if (away && tried !== 'passed') return away;
  if (failed.length > 0) return 'faulty';
  if (tried === undefined || tried === 'not-tried') return null;
  return steps.some(({ result }) => result === 'unclear') ? 'unclear' : 'works';
}

const onTheWay: readonly string[] = ['name-lookup', 'tcp', 'proxy', 'tls'];

function parsed(text: string): Known | undefined {
  try {
    return stored.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
