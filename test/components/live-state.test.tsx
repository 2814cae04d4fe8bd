import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { CallBudget } from '../../contract/budget.ts';
import type { Bulk } from '../../contract/bulk.ts';
import type { Task } from '../../contract/tasks.ts';
import type { TrackingState } from '../../contract/tracking.ts';
import type { Audit, VerifyRun } from '../../contract/verify.ts';
import type { VerifyResult } from '../../contract/verify-result.ts';
import { useLive } from '../../renderer/bridge/live.tsx';
import { TasksProvider } from '../../renderer/bridge/tasks.tsx';
import { useBulkChanges, useBulks } from '../../renderer/features/jobs/bulks.ts';
import { JobsProvider, useJobs, useReadAgain } from '../../renderer/features/jobs/jobs.tsx';
import { emptyJobsView } from '../../renderer/features/jobs/jobs-view.ts';
import { useCallBudget, useSignatureChanges, useTracking } from '../../renderer/features/signature-queries.ts';
import { useTeamChanges, useTeamLink } from '../../renderer/features/team/team.ts';
import { useAudits, useRunResults } from '../../renderer/screens/verify/verify-runs.ts';
import { peer } from './harness/core-peer.ts';
import { connection, showScreen } from './harness/show.tsx';
import { teamLink } from './harness/team.ts';

function Known() {
  const { connections, info } = useLive();
  return <p>{`${connections.connections.map(({ name }) => name).join(', ')}; ${info.version}`}</p>;
}

/** An answer that comes when `come` is called. */
function late<T>(value: T) {
  let come: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    come = resolve;
  });
  const answer = async () => {
    await asked;
    return value;
  };
  return {
    answer,
    /** Resolves when the window has drawn what came. */
    come: async () => {
      come();
      for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
    },
  };
}

it('an event that comes while the first answer is under way is newer than that answer', async () => {
  const office = { ...connection, id: 'office', name: 'Office' };
  const state = { connections: [connection], health: {}, currentId: connection.id, offeredId: null };
  const first = late(state);
  showScreen(<Known />);
  peer.answer({ 'connections.state': first.answer });
  await expect.poll(() => peer.asked('connections.state').length).toBe(1);
  peer.send('connections.changed', { ...state, connections: [connection, office] });
  await first.come();
  await expect.element(page.getByText('Practice, Office; 0.0.0')).toBeVisible();
});

const budgetOf = (used: number): CallBudget => ({ perHour: 60, used, freeAt: null, isAutomatic: true });
const trackingOf = (dueCount: number): TrackingState => ({
  connectionId: connection.id,
  lists: [],
  requests: { elsewhere: 0 } as TrackingState['requests'],
  budget: budgetOf(0),
  dueCount,
  unlistedChanges: 0,
});

function Signatures() {
  useSignatureChanges();
  const tracking = useTracking(connection.id);
  return <p>{`due ${tracking.data?.dueCount}, used ${useCallBudget()?.used}`}</p>;
}

it('the lists and the budget of an event stay when an older first answer comes', async () => {
  const [tracking, budget] = [late(trackingOf(0)), late(budgetOf(0))];
  showScreen(<Signatures />);
  peer.answer({ 'tracking.state': tracking.answer, 'budget.state': budget.answer });
  await expect.poll(() => [...peer.asked('tracking.state'), ...peer.asked('budget.state')].length).toBe(2);
  peer.send('tracking.changed', trackingOf(1));
  peer.send('tracking.changed', { ...trackingOf(9), connectionId: 'other' });
  peer.send('budget.changed', budgetOf(3));
  await tracking.come();
  await budget.come();
  await expect.element(page.getByText('due 1, used 3')).toBeVisible();
});

it('the budget that comes with the lists is newer, too', async () => {
  const budget = late(budgetOf(0));
  showScreen(<Signatures />);
  peer.answer({ 'tracking.state': async () => trackingOf(0), 'budget.state': budget.answer });
  await expect.poll(() => peer.asked('budget.state').length).toBe(1);
  peer.send('budget.changed', budgetOf(3));
  peer.send('tracking.changed', { ...trackingOf(2), budget: budgetOf(4) });
  await budget.come();
  await expect.element(page.getByText('due 2, used 4')).toBeVisible();
});

function Teams() {
  useTeamChanges();
  return <p>{`team ${useTeamLink(connection.id)?.role}`}</p>;
}

it('the team of an event stays when an older first answer comes', async () => {
  const state = late({ links: [] });
  showScreen(<Teams />);
  peer.answer({ 'team.state': state.answer });
  await expect.poll(() => peer.asked('team.state').length).toBe(1);
  peer.send('team.changed', { links: [{ ...teamLink, role: 'lead' }] });
  await state.come();
  await expect.element(page.getByText('team lead')).toBeVisible();
});

const bulkOf = (id: string, state: Bulk['state']) => ({ id, state }) as Bulk;

function Bulks() {
  useBulkChanges();
  return (
    <p>
      {useBulks()
        .data?.map(({ id, state }) => `${id} ${state}`)
        .join(', ')}
    </p>
  );
}

it('a bulk of an event stays as it is there when an older list comes, and does not stand for the whole list', async () => {
  const list = late([bulkOf('b', 'sending'), bulkOf('a', 'finished')]);
  showScreen(<Bulks />);
  peer.answer({ 'bulk.list': list.answer });
  await expect.poll(() => peer.asked('bulk.list').length).toBe(1);
  peer.send('bulk.changed', bulkOf('b', 'finished'));
  peer.send('bulk.changed', bulkOf('c', 'sending'));
  await list.come();
  await expect.element(page.getByText('c sending, b finished, a finished')).toBeVisible();
});

function Audits() {
  const { audits } = useAudits();
  return <p>{audits?.map(({ auditId }) => auditId).join(', ')}</p>;
}

it('watched folders of an event stay when an older first answer comes', async () => {
  const list = late([]);
  showScreen(
    <TasksProvider>
      <Audits />
    </TasksProvider>,
  );
  peer.answer({ 'audits.list': list.answer, 'tasks.list': async () => [] });
  await expect.poll(() => peer.asked('audits.list').length).toBe(1);
  peer.send('audits.changed', [{ auditId: 'archive', lastRun: null } as unknown as Audit]);
  await list.come();
  await expect.element(page.getByText('archive')).toBeVisible();
});

function Queue() {
  const { view } = useJobs();
  const readAgain = useReadAgain();
  return (
    <>
      <p>{`paused ${view.queue.isPaused}`}</p>
      <button type="button" onClick={() => void readAgain()}>
        Read
      </button>
    </>
  );
}

it('the queue of an event stays when an older answer comes, at the first read and at each later one', async () => {
  const { queue } = emptyJobsView;
  const listed = { ...queue, jobs: [], total: 0 };
  const first = late(listed);
  peer.answer({ 'jobs.list': first.answer });
  showScreen(
    <JobsProvider>
      <Queue />
    </JobsProvider>,
  );
  await expect.poll(() => peer.asked('jobs.list').length).toBe(1);
  const changed = { ...queue, jobs: [], batches: [], isIncomplete: false };
  peer.send('jobs.changed', { ...changed, isPaused: true });
  await first.come();
  await expect.element(page.getByText('paused true')).toBeVisible();
  const again = late({ ...listed, isPaused: true });
  peer.answer({ 'jobs.list': again.answer });
  await page.getByRole('button', { name: 'Read' }).click();
  await expect.poll(() => peer.asked('jobs.list').length).toBe(2);
  peer.send('jobs.changed', changed);
  await again.come();
  await expect.element(page.getByText('paused false')).toBeVisible();
});

function Results() {
  const { head, rowAt } = useRunResults('run', {});
  return <p>{`${head?.run.state}: ${[0, 1].map((place) => rowAt(place)?.state).join(', ')}`}</p>;
}

it('results of a run that come while it is read are newer, those of another are not its own, and a read follows that began after the last of them', async () => {
  const run = (state: VerifyRun['state']) => ({ runId: 'run', state, answered: 0, total: 2 }) as VerifyRun;
  const results = (...states: readonly VerifyResult['state'][]) =>
    states.map((state, index) => ({ index, state }) as VerifyResult);
  const answerOf = (state: VerifyRun['state'], ...states: readonly VerifyResult['state'][]) =>
    late({ run: run(state), results: results(...states), total: 2, found: null, ownCounts: {}, againCount: 0 });
  const ended = { taskId: 'run', kind: 'verification', state: 'done', progress: { run: run('finished') } } as Task;
  const reads = [answerOf('running', 'pending', 'pending'), answerOf('finished', 'answered', 'pending')] as const;
  const last = answerOf('finished', 'answered', 'answered');
  const asked = () => peer.asked('verify.results').length;
  showScreen(<Results />);
  peer.answer({ 'verify.results': () => (reads[asked() - 1] ?? last).answer() });
  await expect.poll(asked).toBe(1);
  peer.send('verify.answered', { runId: 'run', results: results('answered') });
  peer.send('verify.answered', { runId: 'other', results: results('answered', 'answered') });
  peer.send('tasks.ended', ended);
  await reads[0].come();
  await expect.element(page.getByText('finished: answered, pending')).toBeVisible();
  await expect.poll(asked).toBe(2);
  // However often it is told, a read under way is not begun anew.
  for (let times = 0; times < 3; times += 1) peer.send('tasks.ended', ended);
  await new Promise((done) => setTimeout(done, 20));
  expect(asked()).toBe(2);
  await reads[1].come();
  await expect.poll(asked).toBe(3);
  await last.come();
  await expect.element(page.getByText('finished: answered, answered')).toBeVisible();
  expect(asked()).toBe(3);
});
