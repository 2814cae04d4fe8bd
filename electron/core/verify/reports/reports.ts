import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReportFormat, ReportProgress } from '../../../../contract/verify.ts';
import type { StoredRun } from '../../../store/verify/verify-rows.ts';
import type { Context } from '../../context.ts';
import type { Target } from '../../files/place-file.ts';
import { saveFile } from '../../files/save-file.ts';
import { appError, failureOf } from '../../foundation/app-error.ts';
import type { Language } from '../../foundation/language.ts';
import { throttled } from '../../foundation/throttled.ts';
import { createPdfReport } from '../../output/pdf/pdf-report.ts';
import { writeTable } from '../../output/tables/write-table.ts';
import type { Verifications } from '../verifications.ts';
import { csvReport } from './csv-report.ts';
import { jsonReport } from './json-report.ts';
import { writePdfReport } from './pdf-report.ts';
import { createPacer, type ReportSource, reportSource } from './report-source.ts';
import { reportTexts } from './report-texts.ts';

const tellEveryMs = 100;
/** The oldest ended ones are forgotten; their files stay. */
const kept = 100;

/** Reports of runs that do not run, written in the background. */
export interface Reports {
  /**
   * Answers at once; goes on in `verify.reportProgressed`. `language` is that of the PDF: CSV and JSON are data. Rejects with not-found, or bad-input
   * while the run goes on.
   */
  start(runId: string, format: ReportFormat, target: Target, language: Language): Promise<ReportProgress>;
  /** Name to suggest for the file. Rejects with not-found. */
  suggestedName(runId: string, format: ReportFormat): string;
  cancel(reportId: string): void;
  /** Where a finished report is. Rejects with not-found or bad-input. */
  finishedPath(reportId: string): string;
  close(): Promise<void>;
}

interface Writing {
  view: ReportProgress;
  readonly target: Target;
  /** Where it is, once it is done. */
  path: string;
  readonly language: Language;
  readonly controller: AbortController;
  ended: Promise<void>;
}

export function createReports(context: Context, verifications: Pick<Verifications, 'stored'>): Reports {
  const all = new Map<string, Writing>();
  const known = (reportId: string): Writing => {
    const writing = all.get(reportId);
    if (!writing) throw appError('not-found', 'no such report');
    return writing;
  };
  const idle = (runId: string): StoredRun => {
    const run = verifications.stored(runId);
    if (run.state === 'running') throw appError('bad-input', 'the verification is going on');
    return run;
  };
  return {
    start: async (runId, format, target, language) => {
      const run = idle(runId);
      const source = await reportSource(context, run);
      const view: ReportProgress = {
        reportId: randomUUID(),
        runId,
        format,
        fileName: basename(target.path),
        state: 'writing',
        writtenFiles: 0,
        totalFiles: run.total,
        failure: null,
      };
      const writing: Writing = {
        view,
        target,
        path: target.path,
        language,
        controller: new AbortController(),
        ended: Promise.resolve(),
      };
      for (const [id, old] of all) if (all.size >= kept && old.view.state !== 'writing') all.delete(id);
      all.set(view.reportId, writing);
      writing.ended = write(context, source, writing);
      return view;
    },
    suggestedName: (runId, format) => {
      const { title, started_at } = verifications.stored(runId);
      const name = title.replace(/\.[^.]{1,8}$/, '').slice(0, 60);
      return `${name === '' ? 'files' : name} verified ${started_at.slice(0, 10)}.${format}`;
    },
    cancel: (reportId) => known(reportId).controller.abort(),
    finishedPath: (reportId) => {
      const { view, path } = known(reportId);
      if (view.state !== 'done') throw appError('bad-input', 'the report is not finished');
      return path;
    },
    close: async () => {
      for (const { controller } of all.values()) controller.abort();
      await Promise.all([...all.values()].map(({ ended }) => ended));
    },
  };
}

/** Never rejects. */
async function write(context: Context, source: ReportSource, writing: Writing): Promise<void> {
  const tell = throttled(tellEveryMs, () => context.emit('verify.reportProgressed', writing.view));
  const change = (changed: Partial<ReportProgress>) => {
    writing.view = { ...writing.view, ...changed };
    tell.request();
  };
  let writtenFiles = 0;
  const onFile = () => {
    writtenFiles += 1;
    if (writtenFiles % 100 === 0) change({ writtenFiles });
  };
  // Not before the caller knows the report.
  await nextTurn();
  try {
    writing.path = await (writing.view.format === 'pdf' ? writePdf : writeText)(context, source, writing, onFile);
    change({ state: 'done', fileName: basename(writing.path), writtenFiles });
  } catch (error) {
    const failure = failureOf(error) ?? appError('bug', 'the report failed in an unexpected way').failure;
    if (failure.code === 'bug')
      context.ports.log.error('a report failed', { error: error instanceof Error ? error.name : typeof error });
    const isCancelled = writing.controller.signal.aborted && failure.code === 'cancelled';
    change(isCancelled ? { state: 'cancelled' } : { state: 'failed', failure });
  }
  tell.flush();
}

async function writeText(
  _context: Context,
  source: ReportSource,
  { view, target, controller }: Writing,
  onFile: () => void,
): Promise<string> {
  const pacer = createPacer(controller.signal, async () => void (await nextTurn()));
  if (view.format === 'csv') return await writeTable(target, 'csv', csvReport(source, pacer, onFile));
  return await saveFile(target, jsonReport(source, pacer, onFile));
}

async function writePdf(context: Context, source: ReportSource, writing: Writing, onFile: () => void) {
  const { target, controller, language } = writing;
  const texts = reportTexts[language];
  const title = texts.title(source.run.title === '' ? texts.files : source.run.title);
  const report = createPdfReport(target, { title, footer: title, assetsDir: context.ports.assetsDir, language });
  try {
    const pacer = createPacer(controller.signal, report.settle);
    await writePdfReport({ source, report, texts, pacer }, onFile);
    return await report.finish();
  } catch (error) {
    await report.discard();
    throw error;
  }
}
