import type { TFunction } from 'i18next';
import type { Answer, VerdictGroup } from '../../../../contract/answer.ts';
import type { FailureDetail } from '../../../../contract/failure.ts';
import {
  type DownloadedHere,
  type FileChange,
  fileChanges,
  type KnownHere,
  type VerdictReason,
  type VerifyResult,
} from '../../../../contract/verify-result.ts';
import { comesWithProgram, meaningKeyOf, sentence } from '../../../../locales/answer-meaning.ts';
import type { texts as english } from '../../../../locales/en/reports.ts';
import type { PdfReport } from '../../output/pdf/pdf-report.ts';
import type { PdfTable } from '../../output/pdf/pdf-step.ts';
import { type Pacer, pathOf, type ReportSource } from './report-source.ts';

type Texts = TFunction<'reports'>;

/** Groups that need attention come first. */
const groupsInOrder = ['not-confirmed', 'unclear', 'no-answer', 'confirmed-with-remark', 'confirmed'] as const;

/** What the parts of the report write to, with the texts in the report's language. */
interface Sheet {
  readonly source: ReportSource;
  readonly report: PdfReport;
  readonly t: Texts;
  readonly pacer: Pacer;
}

/** Writes facts and counts, then changes, then every file with its raw answer, failures first. `onFile` is called after each file. */
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
      table.row(rowOf(sheet.t, result));
      onFile();
      await pacer.step();
    }
  }
  await writeLeftOut(sheet);
}

function writeFacts({ source, report, t }: Sheet): void {
  const { run, connectionName, serviceAddress, isPractice, version, madeAt } = source;
  report.heading(titleOf(t, run));
  if (isPractice) report.paragraph(t('practice'));
  report.paragraph(t('nature'), { isQuiet: true });
  report.fields([
    [t('labels.service'), serviceAddress === null ? connectionName : `${connectionName}, ${serviceAddress}`],
    [t('labels.kind'), t(`kinds.${run.kind}`)],
    [t('labels.begun'), timeOf(run.startedAt)],
    [t('labels.ended'), run.endedAt === null ? '' : timeOf(run.endedAt)],
    [t('labels.state'), t(run.state === 'finished' ? 'states.finished' : 'states.stopped')],
    [t('labels.files'), String(run.total)],
    [t('labels.asked'), String(run.calls)],
    [t('labels.leftOut'), String(run.leftOut)],
    [t('labels.report'), t('report', { madeAt: timeOf(madeAt), version, runId: run.runId })],
  ]);
  report.fields(groupsInOrder.map((group) => [t(`groups.${group}.title`), String(run.counts[group])] as const));
}

/** Lists every changed file by kind of change. In a first run all files are new and listed below anyway. */
async function writeChanges({ source, report, t, pacer }: Sheet): Promise<void> {
  const { run, results } = source;
  const { changes } = run;
  if (!changes) return;
  report.heading(t('since'), 2);
  report.fields(fileChanges.map((change) => [t(`changes.${change}`), String(changes[change])] as const));
  if (changes.new === run.total) return report.paragraph(t('firstRun'));
  const tables = new Map<FileChange, string[][]>();
  for (const slice of results()) {
    for (const result of slice) {
      const { change } = result;
      if (change === null || change === 'unchanged') continue;
      tables.set(change, [...(tables.get(change) ?? []), changedRow(t, result)]);
      await pacer.step();
    }
  }
  for (const change of fileChanges) {
    const rows = tables.get(change);
    if (!rows) continue;
    report.heading(`${t(`changes.${change}`)} (${rows.length})`, 3);
    const table = report.table([
      { title: t('columns.file'), share: 5 },
      { title: t('columns.now'), share: 4 },
      { title: t('columns.before'), share: 4 },
    ]);
    for (const row of rows) {
      table.row(row);
      await pacer.step();
    }
  }
}

function changedRow(t: Texts, result: VerifyResult): string[] {
  const said = (seen: { readonly group: VerdictGroup } | null, raw: string | null | undefined) =>
    seen ? `${t(`groups.${seen.group}.title`)}${typeof raw === 'string' ? `: ${t('quoted', { raw })}` : ''}` : '–';
  const { answer, raw, earlier } = result;
  return [pathOf(result), said(answer, raw), said(earlier, earlier?.raw)];
}

function sectionOf({ answer, change }: VerifyResult): string {
  return answer?.group ?? (change === 'gone' ? 'gone' : 'pending');
}

function beginSection({ source: { run }, report, t }: Sheet, { answer, change }: VerifyResult): PdfTable {
  if (answer) {
    report.heading(`${t(`groups.${answer.group}.title`)} (${run.counts[answer.group]})`, 2);
    report.paragraph(t(`groups.${answer.group}.text`), { isQuiet: true });
  } else if (change === 'gone') {
    report.heading(`${t('changes.gone')} (${run.changes?.gone ?? 0})`, 2);
    report.paragraph(t('goneText'), { isQuiet: true });
  } else {
    report.heading(`${t('notAsked')} (${run.total - run.answered})`, 2);
  }
  return report.table([
    { title: t('columns.file'), share: 5 },
    { title: t('columns.answer'), share: 4 },
    { title: t('columns.asked'), share: 2 },
    { title: 'SHA-256', share: 4 },
  ]);
}

function rowOf(t: Texts, result: VerifyResult): string[] {
  const { answer, qualification, raw, failure, askedAt, sha256, knownHere, downloadedHere, comparison } = result;
  const isEmpty = raw === null && !failure && answer;
  const said = raw === null ? (isEmpty ? t('emptyAnswer') : '') : t('quoted', { raw });
  const reason = qualification ? reasonOf(t, qualification.reason) : '';
  const meaning = answer ? meaningOf(t, answer) : '';
  const lines = [said, meaning, reason].filter((line) => line !== '');
  const about = [
    pathOf(result),
    knownHere ? registeredText(t, knownHere) : '',
    downloadedHere ? downloadedText(t, downloadedHere) : '',
    comparison ? t(`copies.${comparison.state}`) : '',
  ].filter((line) => line !== '');
  return [about.join('\n'), lines.join('\n'), askedAt === null ? '' : timeOf(askedAt), sha256 ?? ''];
}

async function writeLeftOut({ source: { run, leftOut }, report, t, pacer }: Sheet): Promise<void> {
  if (run.leftOut === 0) return;
  report.heading(`${t('leftOut')} (${run.leftOut})`, 2);
  report.paragraph(t('leftOutText'), { isQuiet: true });
  const table = report.table([
    { title: t('columns.leftOut'), share: 5 },
    { title: t('columns.why'), share: 3 },
  ]);
  for (const slice of leftOut())
    for (const file of slice) {
      const why = whyLeftOut(t, file.reason);
      table.row([pathOf(file), file.kind ? `${why} (${file.kind})` : why]);
      await pacer.step();
    }
}

/** The title of a run's report. */
export function titleOf(t: Texts, { title }: { readonly title: string }): string {
  return t('title', { of: title === '' ? t('files') : title });
}

/** The meaning of an answer: built-in meanings are translated, a person's own meanings are used as they are. */
function meaningOf(t: Texts, { meaning, code }: Pick<Answer, 'meaning' | 'code'>): string {
  if (code !== undefined && comesWithProgram(code, meaning)) return sentence(t(`serviceCodes.${code}`));
  const key = meaningKeyOf(meaning);
  return key ? t(`meanings.${key}`) : meaning;
}

/** Empty if the answer itself is the reason: its meaning is shown beside it. */
function reasonOf(t: Texts, reason: VerdictReason): string {
  return reason === 'sorted-word' ? '' : t(`reasons.${reason}`);
}

function registeredText(t: Texts, { registeredAt, name, documentId }: KnownHere): string {
  return t('registered', { at: timeOf(registeredAt), name, documentId });
}

function downloadedText(t: Texts, { downloadedAt, name, documentId }: DownloadedHere): string {
  return t('downloaded', { at: timeOf(downloadedAt), name, documentId });
}

/** The reason why a file was skipped; a reason without text is shown as its code. */
function whyLeftOut(t: Texts, reason: FailureDetail): string {
  return t(`whyLeftOut.${reason as keyof typeof english.whyLeftOut}`, reason);
}

/** `2026-11-21 05:51:48`: sorts and reads the same everywhere. */
function timeOf(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ');
}
