import type { Language } from '../../../../contract/languages.ts';
import type { Receipt } from '../../../../contract/receipts.ts';
import { loadTexts, type TextsOf } from '../../../../locales/load-texts.ts';
import { ownText } from '../../../../locales/own-verdict.ts';
import type { Target } from '../../files/place-file.ts';
import { createPdfReport, type PdfReport } from '../../output/pdf/pdf-report.ts';

type Texts = TextsOf<'receipts'>;

/** Name of the receipt as JSON inside the PDF. */
const attachedName = 'custody-receipt.json';

interface How {
  /** The program's assets folder; it contains `fonts/`. */
  readonly assetsDir: string;
  readonly language: Language;
}

/**
 * Writes a receipt as a PDF that contains the receipt as JSON; resolves with its path. Rejects as PdfReport.finish does; then the target is
 * unchanged.
 */
export async function writeReceiptPdf(target: Target, receipt: Receipt, { assetsDir, language }: How): Promise<string> {
  const [t, reportTexts] = await Promise.all([loadTexts(language, 'receipts'), loadTexts(language, 'reports')]);
  const report = createPdfReport(target, {
    title: `${t('title')} ${receipt.document.id}`,
    footer: `${t('title')} · ${receipt.document.id}`,
    assetsDir,
    language,
  });
  try {
    writeParts(report, receipt, t, reportTexts);
    report.attach(attachedName, Buffer.from(JSON.stringify(receipt, null, 2)), t('attachment'));
    return await report.finish();
  } catch (error) {
    await report.discard();
    throw error;
  }
}

function writeParts(report: PdfReport, receipt: Receipt, t: Texts, reportTexts: TextsOf<'reports'>): void {
  const { file, document, request, times, answer, statuses, connection, program } = receipt;
  report.heading(t('title'));
  report.paragraph(t('nature'), { isQuiet: true });
  report.rule();
  report.heading(t('headings.document'), 2);
  report.fields([
    ['ID', document.id],
    [t('labels.name'), document.name],
    [t('labels.description'), document.description],
    [t('labels.clientReference'), document.clientReference],
  ]);
  report.heading(t('headings.file'), 2);
  report.fields([
    [t('labels.name'), file.name ?? ''],
    [t('labels.size'), file.sizeBytes === null ? '' : t('bytes', { count: file.sizeBytes })],
    ['SHA-256', file.sha256 ?? ''],
  ]);
  writeOwnVerdict(report, receipt.ownVerdict, t, reportTexts);
  report.heading(t('headings.request'), 2);
  report.fields([[t('labels.operation'), request.operation], ...Object.entries(request.fields)]);
  report.heading(t('headings.times'), 2);
  const known = (['taken', 'departed', 'answerBegan', 'answered', 'matched'] as const).flatMap((what) => {
    const time = times[what];
    // What did not happen has no line: an empty one would say that it did.
    return time === null ? [] : [[t(`labels.${what}`), time] as const];
  });
  report.fields(known);
  report.heading(t('headings.answer'), 2);
  report.paragraph(answerText(t, answer));
  if (statuses.length > 0) writeStatuses(report, statuses, t);
  report.heading(t('headings.connection'), 2);
  report.fields(connectionRows(t, connection));
  report.heading(t('headings.program'), 2);
  report.fields([
    [t('labels.sentBy'), program.sentBy === null ? '' : `Sealdesk ${program.sentBy}`],
    [t('labels.writtenBy'), `Sealdesk ${program.writtenBy}`],
    [t('labels.writtenAt'), program.writtenAt],
    [t('labels.checksum'), receipt.checksum],
  ]);
  report.paragraph(t('carries'), { isQuiet: true });
}

/** As reports say it; where no signature was found, or the file was not examined, nothing is said. */
function writeOwnVerdict(
  report: PdfReport,
  own: Receipt['ownVerdict'],
  t: Texts,
  reportTexts: TextsOf<'reports'>,
): void {
  const text = own ? ownText(reportTexts, own.signatures) : '';
  if (!own || text === '') return;
  report.paragraph(text);
  report.fields([[t('labels.examined'), own.examinedAt]]);
  report.paragraph(reportTexts('ownText'), { isQuiet: true });
}

function writeStatuses(report: PdfReport, statuses: Receipt['statuses'], t: Texts): void {
  report.heading(t('headings.statuses'), 2);
  const table = report.table([
    { title: t('labels.status'), share: 2 },
    { title: t('labels.firstAsked'), share: 1 },
    { title: t('labels.lastAsked'), share: 1 },
  ]);
  for (const { raw, from, to } of statuses) table.row([raw ?? t('nothing'), from, to]);
}

function answerText(t: Texts, { raw, isAcceptedByPerson }: Receipt['answer']): string {
  if (!isAcceptedByPerson) return raw === null ? t('noAnswer') : t('quoted', { raw });
  return `${raw === null ? `${t('lostAnswer')} ` : `${t('quoted', { raw })}\n`}${t('decided')}`;
}

function connectionRows(t: Texts, connection: Receipt['connection']): (readonly [string, string])[] {
  if (!connection) return [[t('labels.connection'), t('noConnection')]];
  return [
    [t('labels.name'), connection.name],
    [t('labels.address'), connection.address],
    [t('labels.namespace'), connection.namespaceUri],
    [t('labels.soapVersion'), connection.soapVersion],
    [t('labels.certificate'), connection.certificateFingerprint ?? t('noTls')],
    [t('labels.issuer'), connection.certificateIssuer ?? ''],
  ];
}
