import { extname, resolve } from 'node:path';
import type { Failure } from '../../../contract/failure.ts';
import { type Language, languageTags } from '../../../contract/languages.ts';
import { type ReportFormat, reportFormats } from '../../../contract/verify.ts';
import { languageFor } from '../../../locales/choose-language.ts';
import { systemLanguages } from '../../ports/node-ports.ts';
import { assertFree } from '../arguments/values.ts';
import { followTask, unwrapped } from '../follow-task.ts';
import type { Session } from '../session.ts';
import { UsageError } from './exit-code.ts';
import { nameOnLine, type Printer } from './printer.ts';
import { t } from './texts.ts';

export interface WantedReport {
  /** As it was typed. */
  readonly file: string;
  readonly format: ReportFormat;
  /** Language of a PDF; null for the program's setting. */
  readonly language: Language | null;
  readonly mayReplace: boolean;
}

/** Takes the formats from the file extensions. Rejects with a UsageError for an unknown extension or language, and for a file that may not be replaced. */
export async function wantedReports(
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
export async function saveReports(
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
