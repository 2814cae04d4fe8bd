import type { Answer, VerdictGroup } from '../../../../contract/answers.ts';
import type { FailureDetail } from '../../../../contract/failure.ts';
import {
  type FileChange,
  fileChanges,
  type KnownHere,
  type VerdictReason,
  type VerifyResult,
} from '../../../../contract/verify-result.ts';
import { comesWithProgram, meaningKeyOf, sentence } from '../../../../locales/answer-meaning.ts';
import type { texts as english } from '../../../../locales/en/reports.ts';
import { ownText } from '../../../../locales/own-verdict.ts';
import { type PdfReport, timeOf } from '../../output/pdf/pdf-report.ts';
import type { PdfTable } from '../../output/pdf/pdf-step.ts';
import { sectionTitle, type Texts, writeHead } from './pdf-head.ts';
import {
  type Annex,
  type Pacer,
  pathOf,
  type ReportSource,
  readAnnex,
  type Section,
  sectionOf,
  wasAsked,
} from './report-source.ts';

/** What the parts of the report write to, with the texts in the report's language. */
interface Sheet {
  readonly source: ReportSource;
  readonly annex: Annex;
  readonly report: PdfReport;
  readonly t: Texts;
  readonly pacer: Pacer;
}

/** Small enough for a checksum and an ID beside each other, neither of which is ever broken. */
const annexPt = 6.5;

/** Writes who asked what, the result and what it shows, then changes, then every file with its raw answer, failures first. `onFile` is called after each file. */
export async function writePdfReport(given: Omit<Sheet, 'annex'>, onFile: () => void): Promise<void> {
  const { source, pacer, report, t } = given;
  const sheet = { ...given, annex: await readAnnex(source, pacer) };
  writeHead(report, t, sheet);
  if (source.run.kind === 'audit') await writeChanges(sheet);
  let current: Section | null = null;
  let table: PdfTable | null = null;
  for (const result of source.results()) {
    const section = sectionOf(result);
    if (section !== current || !table) {
      current = section;
      table = beginSection(sheet, section);
    }
    table.row(rowOf(t, result));
    onFile();
    await pacer.step();
  }
  await writeLeftOut(sheet);
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
  for (const result of results()) {
    // Also between files that are not listed: in an audit that finds nothing new, that is all of them.
    await pacer.step();
    const { change } = result;
    if (change === null || change === 'unchanged') continue;
    tables.set(change, [...(tables.get(change) ?? []), changedRow(t, result)]);
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

/** The heading of a section, and what its different answers mean: once, not beside each file. */
function beginSection({ annex, report, t }: Sheet, section: Section): PdfTable {
  report.heading(`${sectionTitle(t, section)} (${annex.counts.get(section) ?? 0})`, 2);
  if (section === 'gone') report.paragraph(t('goneText'), { isQuiet: true });
  else if (section !== 'pending') report.paragraph(t(`groups.${section}.text`), { isQuiet: true });
  const meanings = [...(annex.answers.get(section) ?? [])].flatMap(([raw, { answer }]) => {
    const meaning = answer ? meaningOf(t, answer) : '';
    return meaning === '' ? [] : t('meansText', { answer: t('quoted', { raw }), meaning });
  });
  if (meanings.length > 0) report.paragraph(meanings.join('\n'), { isQuiet: true });
  return report.table(
    [
      { title: t('columns.fileAndHash'), share: 272 },
      { title: t('columns.answerAndId'), share: 173 },
      { title: t('columns.asked'), share: 50 },
    ],
    { sizePt: annexPt },
  );
}

/** IDs and checksums are lines of their own. */
function rowOf(t: Texts, result: VerifyResult): string[] {
  const { answer, qualification, raw, failure, askedAt, sha256, knownHere, downloadedHere, comparison } = result;
  const isEmpty = raw === null && !failure && answer;
  const said = raw === null ? (isEmpty ? t('emptyAnswer') : '') : t('quoted', { raw });
  const reason = qualification ? reasonOf(t, qualification.reason) : askedAt ? t('noReply') : '';
  const about = [
    pathOf(result),
    sha256 ?? '',
    // A file that has its document's name, and an ID beside it, needs no word about it.
    knownHere && (!knownHere.documentId || knownHere.name !== result.name.replace(/\.pdf$/i, ''))
      ? registeredText(t, knownHere)
      : '',
    result.namesake ? t('namesake', { at: timeOf(result.namesake.registeredAt), name: result.namesake.name }) : '',
    downloadedHere ? t('downloaded', { at: timeOf(downloadedHere.downloadedAt), name: downloadedHere.name }) : '',
    knownHere || downloadedHere ? '' : originText(t, result.origin),
    comparison ? t(`copies.${comparison.state}`) : '',
    ownText(t, result.signatures),
    askedText(t, result),
  ];
  const id = knownHere?.documentId ?? downloadedHere?.documentId;
  const known = [
    wasAsked(result) || result.change === 'gone' ? '' : t('notAsked'),
    said,
    reason,
    // With a word before it: alone it would read as an answer.
    id ? t('id', { id }) : knownHere ? t('noId') : '',
  ];
  const lines = (texts: readonly string[]) => texts.filter((line) => line !== '').join('\n');
  return [lines(about), lines(known), askedAt === null ? '' : timeOf(askedAt).replace(' ', '\n')];
}

/** How many of those who were asked have a signature in the file, and who has none. */
function askedText(t: Texts, { askedAndFound: one }: VerifyResult): string {
  if (!one) return '';
  const missing = one.asked.filter(({ found }) => found === null).map(({ email, name }) => email || name);
  if (one.isSealed) return t('askedSealed', { signer: one.others.join(', ') });
  const counts = { asked: one.asked.length, found: one.asked.length - missing.length };
  return missing.length === 0 ? t('askedAll', counts) : t('askedSome', { ...counts, missing: missing.join(', ') });
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

function registeredText(t: Texts, { registeredAt, name }: KnownHere): string {
  return t('registered', { at: timeOf(registeredAt), name });
}

function originText(t: Texts, origin: VerifyResult['origin']): string {
  if (origin?.registered)
    return t('beginsAsRegistered', { at: timeOf(origin.registered.registeredAt), name: origin.registered.name });
  const copy = origin?.downloaded;
  return copy ? t('beginsAsDownloaded', { at: timeOf(copy.downloadedAt), name: copy.name }) : '';
}

/** The reason why a file was skipped; a reason without text is shown as its code. */
function whyLeftOut(t: Texts, reason: FailureDetail): string {
  return t(`whyLeftOut.${reason as keyof typeof english.whyLeftOut}`, reason);
}
