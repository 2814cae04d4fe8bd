import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Language } from '../../../../contract/languages.ts';
import type { ReportFormat, ReportTask } from '../../../../contract/verify.ts';
import { loadTexts } from '../../../../locales/load-texts.ts';
import type { Context } from '../../context.ts';
import type { Target } from '../../files/place-file.ts';
import { safeFileName } from '../../files/safe-file-name.ts';
import { saveFile } from '../../files/target.ts';
import { appError } from '../../foundation/app-error.ts';
import { savePdfReport } from '../../output/pdf/pdf-report.ts';
import { writeTable } from '../../output/tables/write-table.ts';
import type { Verifications } from '../verifications.ts';
import { csvReport, jsonReport } from './data-reports.ts';
import { titleOf } from './pdf-head.ts';
import { createPacer, type ReportSource, reportSource } from './report-source.ts';
import { writePdfReport } from './verification-pdf.ts';

/** Number of tasks kept; the oldest ended ones are dropped first, their files stay. */
const known = 100;
/** Number of files between two progress reports. */
const filesPerReport = 100;

/** Writes reports of ended runs in the background. */
export type Reports = ReturnType<typeof createReports>;

interface ReportOrder {
  readonly format: ReportFormat;
  readonly target: Target;
  readonly language: Language;
}

export function createReports(context: Context, verifications: Pick<Verifications, 'stored'>) {
  const reports = context.tasks.ofKind<'report', { path: string }>('report', { known });
  return {
    /** `language`: of the PDF; CSV and JSON are data. Rejects with not-found, and with bad-input while the run is going on. */
    start: async (runId: string, format: ReportFormat, target: Target, language: Language): Promise<ReportTask> => {
      const run = verifications.stored(runId);
      if (run.state === 'running') throw appError('bad-input', 'the verification is going on');
      const source = await reportSource(context, run);
      const data = { path: target.path };
      const progress = { runId, format, fileName: basename(target.path), writtenFiles: 0, totalFiles: run.total };
      return reports.start({ progress, data }, async ({ signal, report }) => {
        let writtenFiles = 0;
        const onFile = () => {
          writtenFiles += 1;
          if (writtenFiles % filesPerReport === 0) report({ writtenFiles });
        };
        // Starts after the caller received the task.
        await nextTurn();
        const write = format === 'pdf' ? writePdf : writeText;
        data.path = await write(context, source, { format, target, language }, signal, onFile);
        return { fileName: basename(data.path), writtenFiles };
      }).task;
    },
    /** Name to suggest for the file, in `language`. Rejects with not-found. */
    suggestedName: async (runId: string, format: ReportFormat, language: Language): Promise<string> => {
      const run = verifications.stored(runId);
      const t = await loadTexts(language, 'reports');
      const name = run.title.replace(/\.[^.]{1,8}$/, '').slice(0, 60);
      const suggested = t('fileName', { title: name || t('files'), day: run.started_at.slice(0, 10) });
      return safeFileName(`${suggested}.${format}`, `${runId}.${format}`);
    },
    /** Path of a finished report. Throws not-found or bad-input. */
    finishedPath: (taskId: string): string => reports.finished(taskId).path,
  };
}

async function writeText(
  _context: Context,
  source: ReportSource,
  { format, target }: ReportOrder,
  signal: AbortSignal,
  onFile: () => void,
): Promise<string> {
  const pacer = createPacer(signal, async () => void (await nextTurn()));
  if (format === 'csv') return await writeTable(target, 'csv', csvReport(source, pacer, onFile));
  return await saveFile(target, jsonReport(source, pacer, onFile));
}

async function writePdf(
  context: Context,
  source: ReportSource,
  { target, language }: ReportOrder,
  signal: AbortSignal,
  onFile: () => void,
): Promise<string> {
  const t = await loadTexts(language, 'reports');
  const title = titleOf(t, source.run);
  const footer = source.isPractice ? `${t('practice')} · ${title}` : title;
  const options = { title, footer, language, assetsDir: context.ports.assetsDir };
  const pageOf = t('pageOf', { page: '{page}', total: '{total}' });
  return savePdfReport(target, { ...options, pageOf }, (report) =>
    writePdfReport({ source, report, t, pacer: createPacer(signal, report.settle) }, onFile),
  );
}
