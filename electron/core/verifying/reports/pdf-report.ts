import type { VerdictGroup } from '../../../../contract/answer.ts';
import { type FileChange, fileChanges, type VerifyResult } from '../../../../contract/verify.ts';
import type { PdfReport, PdfTable } from '../../pdf/pdf-report.ts';
import { type Pacer, pathOf, type ReportSource } from './report-source.ts';
import { changeWords, copyWords, groupWords, reasonWords } from './report-words.ts';

const fileColumns = [
  { title: 'File', share: 5 },
  { title: 'Answer of the service', share: 4 },
  { title: 'Asked (UTC)', share: 2 },
  { title: 'SHA-256', share: 4 },
];

/** Facts and counts first, then what changed, then every file with the raw answer, failures first. `onFile` is told after each file. */
export async function writePdfReport(
  source: ReportSource,
  report: PdfReport,
  pacer: Pacer,
  onFile: () => void,
): Promise<void> {
  writeFacts(source, report);
  if (source.run.kind === 'audit') await writeChanges(source, report, pacer);
  let section: string | null = null;
  let table: PdfTable | null = null;
  for (const slice of source.results()) {
    for (const result of slice) {
      const title = sectionOf(result);
      if (title !== section || !table) {
        section = title;
        table = beginSection(source, report, result);
      }
      table.row(rowOf(result));
      onFile();
      await pacer.step();
    }
  }
  await writeLeftOut(source, report, pacer);
}

function writeFacts({ run, connectionName, serviceAddress, version, madeAt }: ReportSource, report: PdfReport): void {
  report.heading(`Verification of ${run.title === '' ? 'files' : run.title}`);
  report.paragraph(
    'What the service answered about each file when it was asked. A record of this computer; it does not stand in for the service.',
    { isQuiet: true },
  );
  report.fields([
    ['Service', serviceAddress === null ? connectionName : `${connectionName}, ${serviceAddress}`],
    [
      'Kind',
      run.kind === 'audit' ? 'Audit of a folder: files that are as they were are not asked about again' : 'Files',
    ],
    ['Begun (UTC)', timeOf(run.startedAt)],
    ['Ended (UTC)', run.endedAt === null ? '' : timeOf(run.endedAt)],
    ['State', run.state === 'finished' ? 'Finished' : 'Stopped: not every file was asked about'],
    ['Files', String(run.total)],
    ['Asked in this run', String(run.calls)],
    ['Left out', String(run.leftOut)],
    ['Report', `${timeOf(madeAt)} UTC, Sealdesk ${version}, run ${run.runId}`],
  ]);
  const groups = Object.keys(groupWords) as VerdictGroup[];
  report.fields(groups.map((group) => [groupWords[group].title, String(run.counts[group])] as const));
}

/** Every file that is not as it was, by what became of it. In a first run all are new, and listed below anyway. */
async function writeChanges({ run, results }: ReportSource, report: PdfReport, { step }: Pacer): Promise<void> {
  const { changes } = run;
  if (!changes) return;
  report.heading('Since the last time');
  report.fields(fileChanges.map((change) => [changeWords[change], String(changes[change])] as const));
  if (changes.new === run.total) return report.paragraph('This is the first run: there is nothing to compare with.');
  const tables = new Map<FileChange, string[][]>();
  for (const slice of results()) {
    for (const result of slice) {
      const { change } = result;
      if (change === null || change === 'unchanged') continue;
      tables.set(change, [...(tables.get(change) ?? []), changedRow(result)]);
      await step();
    }
  }
  for (const change of fileChanges) {
    const rows = tables.get(change);
    if (!rows) continue;
    report.heading(`${changeWords[change]} (${rows.length})`, 2);
    const table = report.table([
      { title: 'File', share: 5 },
      { title: 'Now', share: 4 },
      { title: 'Before', share: 4 },
    ]);
    for (const row of rows) {
      table.row(row);
      await step();
    }
  }
}

function changedRow(result: VerifyResult): string[] {
  const { answer, raw, earlier } = result;
  const now = answer ? `${groupWords[answer.group].title}${quoted(raw)}` : '–';
  const before = earlier ? `${groupWords[earlier.group].title}${quoted(earlier.raw)}` : '–';
  return [pathOf(result), now, before];
}

function sectionOf({ answer, change }: VerifyResult): string {
  return answer?.group ?? (change === 'gone' ? 'gone' : 'pending');
}

function beginSection({ run }: ReportSource, report: PdfReport, { answer, change }: VerifyResult): PdfTable {
  if (answer) {
    const { title, text } = groupWords[answer.group];
    report.heading(`${title} (${run.counts[answer.group]})`);
    report.paragraph(text, { isQuiet: true });
  } else if (change === 'gone') {
    report.heading(`Gone (${run.changes?.gone ?? 0})`);
    report.paragraph('These files were there last time.', { isQuiet: true });
  } else {
    report.heading(`Not asked about (${run.total - run.answered})`);
  }
  return report.table(fileColumns);
}

function rowOf(result: VerifyResult): string[] {
  const { answer, qualification, raw, failure, askedAt, sha256, knownHere, comparison } = result;
  const said = raw === null ? (failure ? '' : answer ? 'The answer was empty' : '') : `“${raw}”`;
  const reason = qualification ? reasonWords[qualification.reason] : '';
  const lines = [said, answer?.meaning ?? '', reason].filter((line) => line !== '');
  const about = [
    pathOf(result),
    knownHere
      ? `Registered here ${timeOf(knownHere.registeredAt)} as ${knownHere.name}, ID ${knownHere.documentId}`
      : '',
    comparison ? copyWords[comparison.state] : '',
  ].filter((line) => line !== '');
  return [about.join('\n'), lines.join('\n'), askedAt === null ? '' : timeOf(askedAt), sha256 ?? ''];
}

async function writeLeftOut({ run, leftOut }: ReportSource, report: PdfReport, { step }: Pacer): Promise<void> {
  if (run.leftOut === 0) return;
  report.heading(`Left out (${run.leftOut})`);
  report.paragraph('These could not be read and were not asked about.', { isQuiet: true });
  const table = report.table([
    { title: 'File or folder', share: 5 },
    { title: 'Why', share: 3 },
  ]);
  for (const slice of leftOut())
    for (const file of slice) {
      table.row([pathOf(file), file.kind ? `${file.reason} (${file.kind})` : file.reason]);
      await step();
    }
}

const quoted = (raw: string | null) => (raw === null ? '' : `: “${raw}”`);

/** `2026-11-21 05:51:48`: sorts and reads the same everywhere. */
function timeOf(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ');
}
