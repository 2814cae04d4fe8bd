import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Failure } from '../../contract/failure.ts';
import type { Job } from '../../contract/jobs.ts';
import { dataDirIn, programDir } from '../../electron/host-kit/data-dir.ts';
import { startCore } from '../harness/core.ts';
import { namespaceUri } from '../harness/soap-texts.ts';
import { documentId } from './answers.ts';
import { secrets } from './behaviours/echoes.ts';
import type { CoreRequest, CoreResponse } from './core-peer.ts';
import { measured } from './measured.ts';

/** A core in a process of its own, which asks what its parent wants and reports what came of it. Environment: as of a command line. */
const dataDir = dataDirIn(programDir());
mkdirSync(dataDir, { recursive: true });
const core = await startCore({ dataDir });
const ended: readonly Job['state'][] = ['done', 'refused', 'failed', 'in-doubt', 'passed-over', 'cancelled'];

type Outcome = Pick<CoreResponse, 'outcome' | 'text'>;

const failed = ({ code, detail }: Failure): string => (detail ? `${code}/${detail}` : code);
const outcomeOf = (failure: Failure | null | undefined, value: unknown): Outcome => ({
  outcome: failure ? failed(failure) : 'ok',
  text: JSON.stringify(failure ?? value ?? null),
});

/** A call that rejects with an AppError outside of the bridge. */
async function attempt(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    const { failure } = error as { failure?: Failure };
    return failure ? outcomeOf(failure, null) : { outcome: `crash: ${String(error)}`, text: '' };
  }
}

async function connect({ name, url, soap, extraCa, maxItems }: CoreRequest): Promise<string> {
  const settings = {
    name,
    baseUrl: url,
    mainPath: '/V2/service.asmx',
    namespaceUri,
    soapVersion: soap,
    extraCa,
    maxItems,
    proxy: { mode: 'none' as const },
    timeouts: { connectMs: 1_500, idleMs: 1_500, answerMs: 3_000 },
  };
  const { id } = await core.must('connections.save', { settings });
  await core.must('connections.setCredentials', { id, ...secrets });
  return id;
}

async function tokenOf(path: string): Promise<string> {
  return (await core.core.acceptPath(path)).token;
}

async function jobOutcome(batchId: string): Promise<Outcome> {
  for (;;) {
    const { jobs } = await core.must('jobs.list', { batchId });
    const [job] = jobs;
    if (job?.state === 'waiting' && job.failure) {
      // Nothing of it left, so the program tries again by itself.
      await core.must('jobs.cancel', { jobId: job.id });
      return outcomeOf(job.failure, job);
    }
    if (job && ended.includes(job.state)) {
      const isDone = job.state === 'done';
      const failure = job.failure ? failed(job.failure) : job.state;
      // A failure must be in doubt exactly if its job is.
      const fits = (job.state === 'in-doubt') === failure.startsWith('outcome-unknown');
      return { outcome: isDone ? 'ok' : fits ? failure : `${job.state} with ${failure}`, text: JSON.stringify(job) };
    }
    await pause(20);
  }
}

async function verified(connectionId: string, file: string): Promise<Outcome> {
  const { id: intakeId } = await core.must('files.scan', { tokens: [await tokenOf(file)], purpose: 'verify' });
  const { runId } = await core.must('verify.start', { connectionId, intakeId });
  const isOver = ({ progress: { run } }: { progress: { run: { runId: string; state: string } } }) =>
    run.runId === runId && run.state !== 'running';
  const { progress } = await core.untilTask('verification', isOver, 600_000);
  const { results } = await core.must('verify.results', { runId });
  // A service that cannot be reached stops the run; the file can still be asked about.
  return outcomeOf(progress.run.trouble ?? results[0]?.failure, results);
}

async function ask(request: CoreRequest, connectionId: string): Promise<Outcome> {
  const { operation, file, target } = request;
  const called = async (answer: Promise<{ ok: true; value: unknown } | { ok: false; failure: Failure }>) => {
    const { ok, ...rest } = await answer;
    return ok
      ? outcomeOf(null, 'value' in rest ? rest.value : null)
      : outcomeOf((rest as { failure: Failure }).failure, null);
  };
  const signers = { connectionId, emails: ['ana@example.com'] };
  switch (operation) {
    case 'GetVersion':
      return called(core.ask('service.version', { connectionId }));
    case 'GetSchedule':
      return called(core.ask('service.schedule', { connectionId }));
    case 'GetAuthToken':
      return called(core.ask('service.testCredentials', { connectionId }));
    case 'GetDocumentStatus':
      return called(core.ask('documents.status', { connectionId, documentId }));
    case 'GetDocumentDetails':
      return called(core.ask('documents.details', { connectionId, documentId }));
    case 'GetDocument': {
      const { taskId } = await core.core.downloadTo(connectionId, documentId, target);
      const task = await core.until('tasks.ended', (one) => one.taskId === taskId, 600_000);
      return outcomeOf(task.failure, task);
    }
    case 'GetESignList':
      return called(core.ask('signatures.refresh', { connectionId, listType: 1 }));
    case 'ValidateDocument':
      return verified(connectionId, file);
    case 'WSDL':
      return called(core.ask('connections.readWsdl', { address: `${request.url}/V2/service.asmx?wsdl` }));
    case 'AddNewDocument': {
      const { id: intakeId } = await core.must('files.scan', { tokens: [await tokenOf(file)], purpose: 'register' });
      return jobOutcome((await core.must('documents.register', { connectionId, intakeId, creditType: 1 })).batchId);
    }
    case 'AddQuickNote':
      return jobOutcome((await core.must('service.addQuickNote', { connectionId, message: 'Call back' })).batchId);
    case 'AddNewDocumentESign': {
      const given = { kind: 'plain' as const, ...signers, fileToken: await tokenOf(file), creditType: 1 };
      return jobOutcome((await core.must('signatures.request', given)).batchId);
    }
    case 'AddNewEasySignDocument': {
      const given = { kind: 'easy-sign' as const, ...signers, fileToken: await tokenOf(file) };
      return jobOutcome((await core.must('signatures.request', given)).batchId);
    }
    case 'AddNewEasySignTemplate': {
      const given = { kind: 'easy-sign-template' as const, ...signers, templateId: 'T-1' };
      return jobOutcome((await core.must('signatures.request', given)).batchId);
    }
  }
}

async function respond(request: CoreRequest): Promise<CoreResponse> {
  const connectionId = request.connectionId || (await connect(request));
  if (request.only) {
    if (request.only === 'remove') await core.must('connections.remove', { id: connectionId });
    return { outcome: 'ok', text: '', told: '', connectionId, ms: 0, memoryMb: 0, blockMs: 0 };
  }
  const [events, log] = [core.events.length, core.log.length];
  const { value, ...figures } = await measured(() => attempt(() => ask(request, connectionId)));
  const told = JSON.stringify([core.events.slice(events), core.log.slice(log)]);
  return { ...value, ...figures, connectionId, told };
}

process.on('message', (request: CoreRequest | 'stop') => {
  if (request === 'stop') void core.stop().then(() => process.exit(0));
  else void respond(request).then((response) => process.send?.(response));
});
process.send?.('ready');
