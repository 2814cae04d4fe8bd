import { basename, extname, join, resolve } from 'node:path';
import type { Failure } from '../../../contract/failure.ts';
import { type Language, languageTags } from '../../../contract/languages.ts';
import { type ReportFormat, reportFormats, type VerifyRun } from '../../../contract/verify.ts';
import type { VerifyResult } from '../../../contract/verify-result.ts';
import { refusalIn } from '../../../electron/core/connections/service-calls.ts';
import { languageFor } from '../../../locales/choose-language.ts';
import { systemLanguages } from '../../ports/node-ports.ts';
import { takeFiles } from '../arguments/named-files.ts';
import { option, repeatable } from '../arguments/options.ts';
import { assertFree, isSet, listOf, textOf } from '../arguments/values.ts';
import type { Run, ServiceCommand } from '../command.ts';
import { followRun, followTask, resultsOf, troubleOf, unwrapped } from '../follow-task.ts';
import { type ExitCode, exitCodeOf, exitCodes, UsageError, worstOf } from '../output/exit-code.ts';
import { failureOnLine, failureText, lineText, nameOnLine, type Printer } from '../output/printer.ts';
import { onLine, reportFailure, said } from '../output/report.ts';
import { t } from '../output/texts.ts';
import type { Session } from '../session.ts';

const operation = 'ValidateDocument';

export const verifyCommand: ServiceCommand = {
  kind: 'service',
  name: 'verify',
  summary: t('commands.verify.summary'),
  arguments: ['<FILE|FOLDER...>'],
  options: [
    repeatable('--report <FILE>', t('options.report')),
    option('--replace', t('options.replaceReports')),
    option(`--language <${languageTags.join('|')}>`, t('options.language')),
    option('--audit', t('options.audit')),
    option('--ask <HOW>', t('options.ask')),
  ],
  operation,
  needsCredentials: true,
  remarks: [t('commands.verify.ends'), t('commands.verify.audit')],
  examples: [
    ['incoming.pdf', t('commands.verify.one')],
    ['archive/ --connection Office --json', t('commands.verify.folder')],
    ['archive/ --connection Office --audit --report archive.pdf --replace', t('commands.verify.changed')],
  ],
  run: async (session, run) => {
    const { values } = run;
    const language = textOf(values, 'language');
    const reports = await wantedReports(listOf(values, 'report'), language, isSet(values, 'replace'));
    return isSet(values, 'audit') ? audit(session, run, reports) : verify(session, run, reports);
  },
};

async function verify(
  session: Session,
  { args, values, printer, interrupted }: Run,
  reports: readonly WantedReport[],
): Promise<ExitCode> {
  if (textOf(values, 'ask') !== undefined) throw new UsageError(t('errors.askNeedsAudit'));
  const taken = await takeFiles(session, args, 'verify');
  const codes: ExitCode[] = taken.unusable.map(({ path, failure }) =>
    reportFailure(printer, { operation, file: path }, failure),
  );
  const { intakeId } = taken;
  if (!intakeId) {
    if (codes.length === 0) printer.remark(t('results.noFile'));
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
  const ended = await followRun(session, begin, { printer, interrupted }, (results) => results.forEach(printOnce));
  // Events of the last answers may come after the event of the end.
  for await (const result of resultsOf(session, ended.runId)) printOnce(result);
  const pathOf = ({ index, name }: VerifyResult) => taken.paths[index] ?? name;
  return finish(session, { printer, interrupted }, { run: ended, reports, codes, pathOf });
}

/** Prints only the files that changed or are not confirmed. */
async function audit(
  session: Session,
  { args, values, printer, interrupted }: Run,
  reports: readonly WantedReport[],
): Promise<ExitCode> {
  const [folder = '', ...others] = args;
  if (others.length > 0) throw new UsageError(t('errors.auditOneFolder'));
  const ask = askOf(textOf(values, 'ask'));
  const { token, isFolder } = await session.core.acceptPath(resolve(folder)).catch(() => {
    throw new UsageError(t('errors.auditUnreadable', { folder }));
  });
  if (!isFolder) throw new UsageError(t('errors.auditNoFolder', { folder }));
  const connectionId = session.connection.id;
  const { auditId } = unwrapped(await session.ask('audits.add', { connectionId, token }));
  const begin = () => session.ask('audits.run', { auditId, ask });
  const ended = await followRun(session, begin, { printer, interrupted });
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
      t('results.auditSummary', {
        files: total - changes.gone,
        fresh: changes.new,
        altered: changes.altered,
        gone: changes.gone,
        changed: changes['verdict-changed'],
        unchanged: changes.unchanged,
        asked: calls,
      }),
    );
  return finish(
    session,
    { printer, interrupted },
    { run: ended, reports, codes, pathOf: (result) => pathIn(folder, result) },
  );
}

function askOf(text: string | undefined): 'changes' | 'contents' | 'everything' {
  if (text === undefined || text === 'changes' || text === 'contents' || text === 'everything')
    return text ?? 'changes';
  throw new UsageError(t('errors.ask'));
}

/** The folder of an entry begins with the name of the dropped folder. */
function pathIn(argument: string, { folder, name }: VerifyResult): string {
  const below = folder.split('/').slice(folder.split('/', 1)[0] === basename(resolve(argument)) ? 1 : 0);
  return join(argument, ...below, name);
}

interface Ended {
  readonly run: VerifyRun;
  readonly reports: readonly WantedReport[];
  readonly codes: ExitCode[];
  readonly pathOf: (result: VerifyResult) => string;
}

async function finish(
  session: Session,
  { printer, interrupted }: Pick<Run, 'printer' | 'interrupted'>,
  { run, reports, codes, pathOf }: Ended,
): Promise<ExitCode> {
  const trouble = troubleOf(run);
  if (trouble) {
    codes.push(reportFailure(printer, { operation }, trouble));
    printer.remark(t('results.stopped', { files: run.total - run.answered }));
    for await (const result of resultsOf(session, run.runId)) printUnasked(printer, pathOf(result), result, trouble);
  }
  for (const { file, failure } of await saveReports(session, printer, run.runId, reports))
    codes.push(reportFailure(printer, { operation, file }, failure));
  return interrupted.aborted ? exitCodes.interrupted : worstOf(codes);
}

/** What a signed file itself proves that has no answer of the service. */
function printUnasked(printer: Printer, file: string, { state, signatures }: VerifyResult, trouble: Failure): void {
  if (state !== 'pending' || !signatures || signatures.verdict === 'unsigned') return;
  const { verdict } = signatures;
  printer.result(
    { operation, ok: false, file, details: { own: verdict }, failure: failureOnLine(trouble) },
    lineText(file, t('results.withoutAnswer', { verdict: t(`results.pdfSignatures.verdict.${verdict}`) })),
  );
}

function report(printer: Printer, file: string, result: VerifyResult): ExitCode {
  const { raw, answer, change } = result;
  const group = answer?.group ?? 'no-answer';
  // A code that says that the file was not examined is a refusal: the service was reached.
  const failure =
    result.failure ?? (group === 'no-answer' || group === 'not-pdf' ? (refusalIn(raw)?.failure ?? null) : null);
  const ok = group === 'confirmed' || group === 'confirmed-with-remark';
  const changed = change === null ? {} : { details: { change } };
  const isGone = change === 'gone';
  const meaning = answer?.meaning ? `: ${answer.meaning}` : '';
  const note = failure ? ` – ${failureText(failure)}` : '';
  const how = change && change !== 'unchanged' ? ` [${t(`results.changes.${change}`)}]` : '';
  const text = isGone ? t('results.changes.gone') : `${t(`results.verdicts.${group}`)}${meaning}${note}${how}`;
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
    lineText(file, said(text, raw)),
  );
  if (ok || isGone) return exitCodes.fine;
  return failure ? exitCodeOf(failure) : group === 'no-answer' ? exitCodes.notReachable : exitCodes.refused;
}

interface WantedReport {
  /** As it was typed. */
  readonly file: string;
  readonly format: ReportFormat;
  /** Language of a PDF; null for the program's setting. */
  readonly language: Language | null;
  readonly mayReplace: boolean;
}

/** Takes the formats from the file extensions. Rejects with a UsageError for an unknown extension or language, and for a file that may not be replaced. */
async function wantedReports(
  files: readonly string[],
  language: string | undefined,
  mayReplace: boolean,
): Promise<WantedReport[]> {
  const known = languageTags.find((tag) => tag === language);
  if (language !== undefined && !known) {
    throw new UsageError(t('errors.language', { tags: languageTags, given: language }));
  }
  const wanted = files.map((file): WantedReport => {
    const ending = extname(file).slice(1).toLowerCase();
    const format = reportFormats.find((one) => one === ending);
    if (!format) throw new UsageError(t('errors.report', { file }));
    return { file, format, language: known ?? null, mayReplace };
  });
  for (const { file } of wanted) await assertFree('--report', resolve(file), mayReplace);
  return wanted;
}

/** Writes the reports one by one; returns the failures. */
async function saveReports(
  session: Session,
  printer: Printer,
  runId: string,
  reports: readonly WantedReport[],
): Promise<{ readonly file: string; readonly failure: Failure }[]> {
  const failures: { file: string; failure: Failure }[] = [];
  for (const { file, format, language, mayReplace } of reports) {
    const words = language ?? (await languageOfProgram(session));
    const start = () => session.core.reportTo(runId, format, resolve(file), words, { mayReplace });
    const { failure } = await followTask(session, start);
    if (failure) failures.push({ file, failure });
    else printer.remark(t('results.report', { file: nameOnLine(file) }));
  }
  return failures;
}

async function languageOfProgram(session: Session): Promise<Language> {
  const { preferences } = unwrapped(await session.ask('app.info', {}));
  return languageFor(preferences.language, systemLanguages());
}
