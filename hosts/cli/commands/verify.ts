import type { VerdictGroup } from '../../../contract/answer.ts';
import type { VerifyResult } from '../../../contract/verify.ts';
import type { ServiceCommand } from '../command.ts';
import { type ExitCode, exitCodeOf, exitCodes, worstOf } from '../exit-code.ts';
import { failureOnLine, type Printer } from '../printer.ts';
import { onLine, reportFailure, said } from '../report.ts';
import type { Session } from '../session.ts';
import { takeFiles } from '../take-files.ts';

const operation = 'ValidateDocument';

const words: Readonly<Record<VerdictGroup, string>> = {
  confirmed: 'confirmed',
  'confirmed-with-remark': 'confirmed, with a remark',
  'not-confirmed': 'NOT CONFIRMED',
  unclear: 'unclear answer',
  'no-answer': 'no answer',
};

export const verifyCommand: ServiceCommand = {
  kind: 'service',
  name: 'verify',
  summary:
    'Asks the service whether files are what was registered (ValidateDocument): files, and folders with all below.',
  usage: 'FILE|FOLDER…',
  minArgs: 1,
  maxArgs: Number.POSITIVE_INFINITY,
  options: {},
  operation,
  needsCredentials: true,
  remarks: ['Ends with 0 only if every file is confirmed.'],
  examples: [
    ['incoming.pdf', 'one file'],
    ['archive/ --connection Office --json', 'a folder, as JSON lines'],
  ],
  run: async (session, { args, printer, interrupted }) => {
    const taken = await takeFiles(session, args, 'verify');
    const codes: ExitCode[] = taken.unusable.map(({ path, failure }) =>
      reportFailure(printer, { operation, file: path }, failure),
    );
    if (!taken.intakeId) {
      if (codes.length === 0) printer.remark('There is no file here.');
      return worstOf([...codes, exitCodes.refused]);
    }
    const done = await verifyAll(session, taken.intakeId, interrupted, (result) => {
      codes.push(report(printer, taken.paths[result.index] ?? result.name, result));
    });
    if (!done.ok) codes.push(reportFailure(printer, { operation }, done.failure));
    return interrupted.aborted ? exitCodes.interrupted : worstOf(codes);
  },
};

/** Tells each answer once; resolves when the run has ended. */
async function verifyAll(
  session: Session,
  intakeId: string,
  interrupted: AbortSignal,
  onAnswer: (result: VerifyResult) => void,
) {
  const told = new Set<number>();
  const answered: VerifyResult[] = [];
  let endedRun = '';
  let wake: () => void = () => undefined;
  const stopListening = session.listen('verify.progressed', ({ run, results }) => {
    answered.push(...results.filter(({ state }) => state === 'answered'));
    if (run.state !== 'running') endedRun = run.runId;
    wake();
  });
  const tellNew = (results: readonly VerifyResult[]) => {
    for (const result of results) {
      if (told.has(result.index)) continue;
      told.add(result.index);
      onAnswer(result);
    }
  };
  try {
    const started = await session.ask('verify.start', { connectionId: session.connection.id, intakeId });
    if (!started.ok) return started;
    const { runId } = started.value;
    const stop = () => void session.ask('verify.stop', { runId });
    interrupted.addEventListener('abort', stop, { once: true });
    if (interrupted.aborted) stop();
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      tellNew(answered.splice(0));
      if (endedRun === runId) break;
      await changed;
    }
    // The last events may come after the one that told the end.
    for (let offset = 0; ; offset += 500) {
      const page = await session.ask('verify.results', { runId, offset, limit: 500 });
      if (!page.ok) return page;
      tellNew(page.value.results.filter(({ state }) => state === 'answered'));
      if (page.value.results.length < 500) return { ok: true as const };
    }
  } finally {
    stopListening();
  }
}

function report(printer: Printer, file: string, { raw, answer, failure }: VerifyResult): ExitCode {
  const group = answer?.group ?? 'no-answer';
  const ok = group === 'confirmed' || group === 'confirmed-with-remark';
  const meaning = answer?.meaning ? `: ${answer.meaning}` : '';
  const note = failure ? ` – ${failureOnLine(failure).note}` : '';
  printer.result(
    { operation, ok, raw, answer: onLine(answer), file, failure: failure ? failureOnLine(failure) : undefined },
    `${file}: ${words[group]}${meaning}${note}${said(raw)}`,
  );
  if (ok) return exitCodes.fine;
  return failure ? exitCodeOf(failure) : group === 'no-answer' ? exitCodes.notReachable : exitCodes.refused;
}
