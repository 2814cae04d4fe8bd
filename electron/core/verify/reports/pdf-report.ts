import type { VerdictGroup } from '../../../../contract/answer.ts';
import { type FileChange, fileChanges, type VerifyResult } from '../../../../contract/verify-result.ts';
import type { PdfTable } from '../../output/pdf/pdf-messages.ts';
import type { PdfReport } from '../../output/pdf/pdf-report.ts';
import { type Pacer, pathOf, type ReportSource } from './report-source.ts';
import type { ReportTexts } from './report-texts-type.ts';

/** Where everything goes, and in which words. */
interface Sheet {
  readonly source: ReportSource;
  readonly report: PdfReport;
  readonly texts: ReportTexts;
  readonly pacer: Pacer;
}

/** Facts and counts first, then what changed, then every file with the raw answer, failures first. `onFile` is told after each file. */
export async function writePdfReport(sheet: Sheet, onFile: () => void): Promise<void> {
  const { source, pacer } = sheet;
  writeFacts(sheet);
  if (source.run.kind === 'audit') await writeChanges(sheet);
  let section: string | null = null;
  let table: PdfTable | null = null;
  for (const slice of source.results()) {
    for (const result of slice) {
      const title = sectionOf(result);
      if (title !== section || !table) {
        section = title;
        table = beginSection(sheet, result);
      }
      table.row(rowOf(sheet.texts, result));
      onFile();
      await pacer.step();
    }
  }
  await writeLeftOut(sheet);
}

function writeFacts({ source, report, texts }: Sheet): void {
  const { run, connectionName, serviceAddress, version, madeAt } = source;
  const { labels, kinds, states } = texts;
  report.heading(texts.title(run.title === '' ? texts.files : run.title));
  report.paragraph(texts.nature, { isQuiet: true });
  report.fields([
    [labels.service, serviceAddress === null ? connectionName : `${connectionName}, ${serviceAddress}`],
    [labels.kind, kinds[run.kind]],
    [labels.begun, timeOf(run.startedAt)],
    [labels.ended, run.endedAt === null ? '' : timeOf(run.endedAt)],
    [labels.state, run.state === 'finished' ? states.finished : states.stopped],
    [labels.files, String(run.total)],
    [labels.asked, String(run.calls)],
    [labels.leftOut, String(run.leftOut)],
    [labels.report, texts.report(timeOf(madeAt), version, run.runId)],
  ]);
  const groups = Object.keys(texts.groups) as VerdictGroup[];
  report.fields(groups.map((group) => [texts.groups[group].title, String(run.counts[group])] as const));
}

/** Every file that is not as it was, by what became of it. In a first run all are new, and listed below anyway. */
async function writeChanges({ source, report, texts, pacer }: Sheet): Promise<void> {
  const { run, results } = source;
  const { changes } = run;
  if (!changes) return;
  report.heading(texts.since, 2);
  report.fields(fileChanges.map((change) => [texts.changes[change], String(changes[change])] as const));
  if (changes.new === run.total) return report.paragraph(texts.firstRun);
  const tables = new Map<FileChange, string[][]>();
  for (const slice of results()) {
    for (const result of slice) {
      const { change } = result;
      if (change === null || change === 'unchanged') continue;
      tables.set(change, [...(tables.get(change) ?? []), changedRow(texts, result)]);
      await pacer.step();
    }
  }
  for (const change of fileChanges) {
    const rows = tables.get(change);
    if (!rows) continue;
    report.heading(`${texts.changes[change]} (${rows.length})`, 3);
    const table = report.table([
      { title: texts.columns.file, share: 5 },
      { title: texts.columns.now, share: 4 },
      { title: texts.columns.before, share: 4 },
    ]);
    for (const row of rows) {
      table.row(row);
      await pacer.step();
    }
  }
}

function changedRow({ groups, quoted }: ReportTexts, result: VerifyResult): string[] {
  const said = (seen: { readonly group: VerdictGroup } | null, raw: string | null | undefined) =>
    seen ? `${groups[seen.group].title}${typeof raw === 'string' ? `: ${quoted(raw)}` : ''}` : '–';
  const { answer, raw, earlier } = result;
  return [pathOf(result), said(answer, raw), said(earlier, earlier?.raw)];
}

function sectionOf({ answer, change }: VerifyResult): string {
  return answer?.group ?? (change === 'gone' ? 'gone' : 'pending');
}

function beginSection({ source: { run }, report, texts }: Sheet, { answer, change }: VerifyResult): PdfTable {
  if (answer) {
    const { title, text } = texts.groups[answer.group];
    report.heading(`${title} (${run.counts[answer.group]})`, 2);
    report.paragraph(text, { isQuiet: true });
  } else if (change === 'gone') {
    report.heading(`${texts.changes.gone} (${run.changes?.gone ?? 0})`, 2);
    report.paragraph(texts.goneText, { isQuiet: true });
  } else {
    report.heading(`${texts.notAsked} (${run.total - run.answered})`, 2);
  }
  return report.table([
    { title: texts.columns.file, share: 5 },
    { title: texts.columns.answer, share: 4 },
    { title: texts.columns.asked, share: 2 },
    { title: 'SHA-256', share: 4 },
  ]);
}

function rowOf(texts: ReportTexts, result: VerifyResult): string[] {
  const { answer, qualification, raw, failure, askedAt, sha256, knownHere, comparison } = result;
  const isEmpty = raw === null && !failure && answer;
  const said = raw === null ? (isEmpty ? texts.emptyAnswer : '') : texts.quoted(raw);
  const reason = qualification ? texts.reasons[qualification.reason] : '';
  const meaning = answer ? (texts.meanings[answer.meaning] ?? answer.meaning) : '';
  const lines = [said, meaning, reason].filter((line) => line !== '');
  const about = [
    pathOf(result),
    knownHere ? texts.registered(timeOf(knownHere.registeredAt), knownHere.name, knownHere.documentId) : '',
    comparison ? texts.copies[comparison.state] : '',
  ].filter((line) => line !== '');
  return [about.join('\n'), lines.join('\n'), askedAt === null ? '' : timeOf(askedAt), sha256 ?? ''];
}

async function writeLeftOut({ source: { run, leftOut }, report, texts, pacer }: Sheet): Promise<void> {
  if (run.leftOut === 0) return;
  report.heading(`${texts.leftOut} (${run.leftOut})`, 2);
  report.paragraph(texts.leftOutText, { isQuiet: true });
  const table = report.table([
    { title: texts.columns.leftOut, share: 5 },
    { title: texts.columns.why, share: 3 },
  ]);
  for (const slice of leftOut())
    for (const file of slice) {
      const why = texts.whyLeftOut[file.reason] ?? file.reason;
      table.row([pathOf(file), file.kind ? `${why} (${file.kind})` : why]);
      await pacer.step();
    }
}

/** `2026-11-21 05:51:48`: sorts and reads the same everywhere. */
function timeOf(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ');
}
