import { extname, resolve } from 'node:path';
import type { Failure } from '../../contract/failure.ts';
import { type ReportFormat, type ReportProgress, reportFormats } from '../../contract/verify.ts';
import type { Printer } from './printer.ts';
import type { Session } from './session.ts';
import { UsageError } from './usage-error.ts';

export interface WantedReport {
  /** As it was given. */
  readonly file: string;
  readonly format: ReportFormat;
}

/** By the ends of the names. Throws a UsageError for another one. */
export function wantedReports(files: readonly string[]): WantedReport[] {
  return files.map((file) => {
    const ending = extname(file).slice(1).toLowerCase();
    const format = reportFormats.find((known) => known === ending);
    if (!format) throw new UsageError(`--report takes a file that ends with .pdf, .csv or .json, not ${file}.`);
    return { file, format };
  });
}

/** Writes reports one by one, replacing what is there; answers what went wrong. */
export async function saveReports(
  session: Session,
  printer: Printer,
  runId: string,
  reports: readonly WantedReport[],
): Promise<{ readonly file: string; readonly failure: Failure }[]> {
  const failures: { file: string; failure: Failure }[] = [];
  for (const { file, format } of reports) {
    const { failure } = await written(session, runId, format, resolve(file));
    if (failure) failures.push({ file, failure });
    else printer.remark(`Report: ${file}`);
  }
  return failures;
}

async function written(session: Session, runId: string, format: ReportFormat, path: string): Promise<ReportProgress> {
  const ended = new Map<string, ReportProgress>();
  let wake: () => void = () => undefined;
  const stop = session.listen('verify.reportProgressed', (report) => {
    if (report.state !== 'writing') ended.set(report.reportId, report);
    wake();
  });
  try {
    const { reportId } = await session.core.reportTo(runId, format, path);
    for (;;) {
      const changed = new Promise<void>((done) => {
        wake = done;
      });
      const report = ended.get(reportId);
      if (report) return report;
      await changed;
    }
  } finally {
    stop();
  }
}
