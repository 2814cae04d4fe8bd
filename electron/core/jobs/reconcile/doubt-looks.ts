import { isShareUsed } from '../../../../contract/budget.ts';
import type { StoredJob } from '../../../store/jobs/job-rows.ts';
import { type CallBudgets, takeCall } from '../../connections/call-budget.ts';
import { failureOf } from '../../foundation/app-error.ts';
import type { QueueContext } from '../queue-context.ts';
import { NoMoreCalls } from './ask-service.ts';
import { reconcile } from './reconcile.ts';

/** How often the lists are tried for one doubt while not all of them can be read, and how much longer each pause is. */
const tries = 3;
const growth = 20;
/** The newest doubts: more are no single lost answers. */
const most = 100;
/** Of the hour's calls, looks begin while less than this part is used: many lost answers at once must not use them all up. */
const lookPart = 0.75;

/**
 * Looks once for each add in doubt in the service's lists, by reads within the call budget, so that what the service shows is there before anybody decides. Nothing is
 * settled by it, and nothing sent. What is in no list (a registration, a note) is left to the person. `kick`: there may be a new doubt.
 */
export function createDoubtLooks(queue: QueueContext) {
  const { context, closing } = queue;
  const { jobs } = context.store;
  const dues = new Map<string, { readonly tried: number; readonly atMs: number }>();
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();

  const open = () => jobs.list({ states: ['in-doubt'], offset: 0, limit: most }).jobs.filter(isWorthALook);
  const due = (tried: number) => ({ tried, atMs: performance.now() + context.pauses.doubtLookMs * growth ** tried });
  const schedule = () => {
    clearTimeout(timer);
    const ids = new Set(open().map(({ id }) => id));
    for (const id of dues.keys()) if (!ids.has(id)) dues.delete(id);
    for (const id of ids) if (!dues.has(id)) dues.set(id, due(0));
    const next = Math.min(...[...dues.values()].filter(({ tried }) => tried < tries).map(({ atMs }) => atMs));
    if (closing.aborted || !Number.isFinite(next)) return;
    timer = setTimeout(work, Math.max(0, next - performance.now())).unref();
  };
  const guarded = (step: () => void | Promise<void>) => () =>
    Promise.resolve()
      .then(step)
      .catch((error: unknown) =>
        context.ports.log.error('doubts could not be looked for', { code: failureOf(error)?.code }),
      );
  const work = () => {
    working = working.then(guarded(lookForDue)).then(guarded(schedule));
  };
  async function lookForDue(): Promise<void> {
    for (const [jobId, { tried, atMs }] of [...dues]) {
      if (closing.aborted) return;
      if (tried >= tries || atMs > performance.now()) continue;
      // Set first: whatever happens, it is not tried again at once. A look that must wait for calls is no try.
      const isFree = mayLook(context.budget);
      dues.set(jobId, isFree ? due(tried + 1) : { tried, atMs: due(1).atMs });
      const job = jobs.get(jobId);
      if (isFree && job?.state === 'in-doubt' && isWorthALook(job)) await look(job);
    }
  }

  async function look({ id, connectionId }: StoredJob): Promise<void> {
    const mayAsk = () => takeCall(context, connectionId);
    try {
      const { verdict } = await reconcile(queue, id, { withFile: false }, { tries: 1, mayAsk });
      if (verdict !== 'unanswered') dues.delete(id);
    } catch (error) {
      // A connection that was removed, or a job that was decided meanwhile.
      if (!(error instanceof NoMoreCalls) && !failureOf(error)) throw error;
    }
  }

  return {
    kick: () => {
      working = working.then(guarded(schedule));
    },
    stop: async () => {
      clearTimeout(timer);
      await working;
    },
  };
}

const mayLook = (budget: CallBudgets) => budget.allows() && !isShareUsed(budget.state(), lookPart);

/** Also of what only the stored lists have: nobody asked for its details. */
const isWorthALook = ({ look, args, dismissed }: StoredJob) =>
  (look === null || look.verdict === 'unanswered' || look.questions.length === 0) &&
  !dismissed &&
  String(args.Emails ?? '').trim() !== '';
