import { extname, resolve } from 'node:path';
import type { Failure } from '../../contract/failure.ts';
import { type ReportFormat, type ReportProgress, reportFormats } from '../../contract/verify.ts';
import { type Language, languageOf } from '../../electron/core/foundation/language.ts';
import { unwrapped } from './follow-run.ts';
import { assertFree } from './given-target.ts';
import { nameOnLine, type Printer } from './printer.ts';
import type { Session } from './session.ts';
import { UsageError } from './usage-error.ts';

export interface WantedReport {
  /** As it was given. */
  readonly file: string;
  readonly format: ReportFormat;
  /** Of a PDF; null: as the program is set to. */
  readonly language: Language | null;
  readonly mayReplace: boolean;
}

/** By the ends of the names. Rejects with a UsageError for another one, for another language, and for a file that may not be replaced. */
export async function wantedReports(
  files: readonly string[],
  language: string | undefined,
  mayReplace: boolean,
): Promise<WantedReport[]> {
  if (language !== undefined && language !== 'en' && language !== 'de')
    throw new UsageError(`--language takes en or de, not ${language}.`);
  const wanted = files.map((file): WantedReport => {
    const ending = extname(file).slice(1).toLowerCase();
    const format = reportFormats.find((known) => known === ending);
    if (!format) throw new UsageError(`--report takes a file that ends with .pdf, .csv or .json, not ${file}.`);
    return { file, format, language: language ?? null, mayReplace };
  });
  for (const { file } of wanted) await assertFree('--report', resolve(file), mayReplace);
  return wanted;
}

/** Writes reports one by one; answers what went wrong. */
export async function saveReports(
  session: Session,
  printer: Printer,
  runId: string,
  reports: readonly WantedReport[],
): Promise<{ readonly file: string; readonly failure: Failure }[]> {
  const failures: { file: string; failure: Failure }[] = [];
  for (const { file, format, language, mayReplace } of reports) {
    const words = language ?? (await languageOfProgram(session));
    const { failure } = await written(session, runId, {
      format,
      language: words,
      path: resolve(file),
      mayReplace,
    });
    if (failure) failures.push({ file, failure });
    else printer.remark(`Report: ${nameOnLine(file)}`);
  }
  return failures;
}

async function languageOfProgram(session: Session): Promise<Language> {
  return languageOf(unwrapped(await session.ask('app.info', {})).preferences.language);
}

interface Placed {
  readonly format: ReportFormat;
  readonly language: Language;
  readonly path: string;
  readonly mayReplace: boolean;
}

async function written(session: Session, runId: string, report: Placed): Promise<ReportProgress> {
  const ended = new Map<string, ReportProgress>();
  let wake: () => void = () => undefined;
  const stop = session.listen('verify.reportProgressed', (told) => {
    if (told.state !== 'writing') ended.set(told.reportId, told);
    wake();
  });
  try {
    const { reportId } = await session.core.reportTo(runId, report.format, report.path, report.language, report);
    for (;;) {
      const changed = new Promise<void>((done) => {
        wake = done;
      });
      const last = ended.get(reportId);
      if (last) return last;
      await changed;
    }
  } finally {
    stop();
  }
}
