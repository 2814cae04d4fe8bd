import { basename, join, resolve } from 'node:path';
import type { VerdictGroup } from '../../../contract/answer.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import type { VerifyResult } from '../../../contract/verify-result.ts';
import { refusalIn } from '../../../electron/core/connections/service-answers.ts';
import type { Run, ServiceCommand } from '../command.ts';
import { type ExitCode, exitCodeOf, exitCodes, worstOf } from '../exit-code.ts';
import { followRun, resultsOf, troubleOf, unwrapped } from '../follow-run.ts';
import { option, repeatable } from '../options.ts';
import { failureOnLine, nameOnLine, type Printer } from '../printer.ts';
import { onLine, reportFailure, said } from '../report.ts';
import { saveReports, type WantedReport, wantedReports } from '../save-reports.ts';
import type { Session } from '../session.ts';
import { takeFiles } from '../take-files.ts';
import { UsageError } from '../usage-error.ts';
import { isSet, listOf, textOf } from '../values.ts';

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
  arguments: ['<FILE|FOLDER...>'],
  options: [
    repeatable('--report <FILE>', 'writes a report, by its ending .pdf, .csv or .json'),
    option('--replace', 'replaces reports that are there already'),
    option('--language <en|de>', 'of PDF reports (as the program is set to)'),
    option('--audit', 'remembers the folder and asks only about what changed'),
    option('--ask <HOW>', 'with --audit: changes by size and time, contents by hash, or everything (changes)'),
  ],
  operation,
  needsCredentials: true,
  remarks: [
    'Ends with 0 only if every file is confirmed.',
    'With --audit the folder is remembered with all answers: the next time only what is new or altered is asked about, and only what changed or is not confirmed is told.',
  ],
  examples: [
    ['incoming.pdf', 'one file'],
    ['archive/ --connection Office --json', 'a folder, as JSON lines'],
    ['archive/ --connection Office --audit --report archive.pdf --replace', 'what changed in it since the last time'],
  ],
  run: async (session, run) => {
    const { values } = run;
    const reports = await wantedReports(listOf(values, 'report'), textOf(values, 'language'), isSet(values, 'replace'));
    return isSet(values, 'audit') ? audit(session, run, reports) : verify(session, run, reports);
  },
};

async function verify(
  session: Session,
  { args, values, printer, interrupted }: Run,
  reports: readonly WantedReport[],
): Promise<ExitCode> {
  if (textOf(values, 'ask') !== undefined) throw new UsageError('--ask goes with --audit.');
  const taken = await takeFiles(session, args, 'verify');
  const codes: ExitCode[] = taken.unusable.map(({ path, failure }) =>
    reportFailure(printer, { operation, file: path }, failure),
  );
  const { intakeId } = taken;
  if (!intakeId) {
    if (codes.length === 0) printer.remark('There is no file here.');
    return worstOf([...codes, exitCodes.refused]);
  }
  const printed = new Set<number>();
  const printOnce = (result: VerifyResult) => {
    if (printed.has(result.index) || result.state !== 'answered') return;
    printed.add(result.index);
    codes.push(report(printer, taken.paths[result.index] ?? result.name, result));
  };
  const connectionId = session.connection.id;
  const begin = () => session.ask('verify.start', { connectionId, intakeId });
  const ended = await followRun(session, begin, interrupted, (results) => results.forEach(printOnce));
  // Events of the last answers may come after the event of the end.
  for await (const result of resultsOf(session, ended.runId)) printOnce(result);
  return finish(session, { printer, interrupted }, ended, reports, codes);
}

/** Prints only the files that changed or are not confirmed. */
async function audit(
  session: Session,
  { args, values, printer, interrupted }: Run,
  reports: readonly WantedReport[],
): Promise<ExitCode> {
  const [folder = '', ...others] = args;
  if (others.length > 0) throw new UsageError('--audit takes one folder.');
  const ask = askOf(textOf(values, 'ask'));
  const { token, isFolder } = await session.core.acceptPath(resolve(folder)).catch(() => {
    throw new UsageError(`${folder} cannot be read.`);
  });
  if (!isFolder) throw new UsageError(`${folder} is no folder: --audit takes one.`);
  const connectionId = session.connection.id;
  const { auditId } = unwrapped(await session.ask('audits.add', { connectionId, token }));
  const ended = await followRun(session, () => session.ask('audits.run', { auditId, ask }), interrupted);
  const codes: ExitCode[] = [];
  for await (const result of resultsOf(session, ended.runId)) {
    if (result.state !== 'answered') continue;
    const isFine = result.answer?.group === 'confirmed' || result.answer?.group === 'confirmed-with-remark';
    if (isFine && result.change === 'unchanged') continue;
    codes.push(report(printer, pathIn(folder, result), result));
  }
  const { changes, total, calls } = ended;
  if (changes)
    printer.remark(
      `${total - changes.gone} files: ${changes.new} new, ${changes.altered} altered, ${changes.gone} gone, ${changes['verdict-changed']} with another answer, ${changes.unchanged} unchanged. Asked about ${calls}.`,
    );
  return finish(session, { printer, interrupted }, ended, reports, codes);
}

function askOf(text: string | undefined): 'changes' | 'contents' | 'everything' {
  if (text === undefined || text === 'changes' || text === 'contents' || text === 'everything')
    return text ?? 'changes';
  throw new UsageError('--ask takes changes, contents or everything.');
}

/** The folder of an entry begins with the name of the dropped folder. */
function pathIn(argument: string, { folder, name }: VerifyResult): string {
  const below = folder.split('/').slice(folder.split('/', 1)[0] === basename(resolve(argument)) ? 1 : 0);
  return join(argument, ...below, name);
}

async function finish(
  session: Session,
  { printer, interrupted }: Pick<Run, 'printer' | 'interrupted'>,
  run: VerifyRun,
  reports: readonly WantedReport[],
  codes: ExitCode[],
): Promise<ExitCode> {
  const trouble = troubleOf(run);
  if (trouble) {
    codes.push(reportFailure(printer, { operation }, trouble));
    printer.remark(`Stopped: ${run.total - run.answered} files were not asked about.`);
  }
  for (const { file, failure } of await saveReports(session, printer, run.runId, reports))
    codes.push(reportFailure(printer, { operation, file }, failure));
  return interrupted.aborted ? exitCodes.interrupted : worstOf(codes);
}

function report(printer: Printer, file: string, result: VerifyResult): ExitCode {
  const { raw, answer, change } = result;
  const group = answer?.group ?? 'no-answer';
  // A code that says that the file was not examined is a refusal: the service was reached.
  const failure = result.failure ?? (group === 'no-answer' ? (refusalIn(raw)?.failure ?? null) : null);
  const ok = group === 'confirmed' || group === 'confirmed-with-remark';
  const meaning = answer?.meaning ? `: ${answer.meaning}` : '';
  const note = failure ? ` – ${failureOnLine(failure).note}` : '';
  const changed = change === null ? {} : { details: { change } };
  const isGone = change === 'gone';
  const human = isGone
    ? 'gone'
    : `${words[group]}${meaning}${note}${change && change !== 'unchanged' ? ` [${change}]` : ''}`;
  printer.result(
    {
      operation,
      ok: ok || isGone,
      raw,
      answer: onLine(answer),
      file,
      ...changed,
      failure: failure ? failureOnLine(failure) : undefined,
    },
    `${nameOnLine(file)}: ${human}${said(raw)}`,
  );
  if (ok || isGone) return exitCodes.fine;
  return failure ? exitCodeOf(failure) : group === 'no-answer' ? exitCodes.notReachable : exitCodes.refused;
}
