import type { Receipt } from '../../../../contract/receipts.ts';
import type { Target } from '../../files/place-file.ts';
import type { Language } from '../../foundation/language.ts';
import { createPdfReport, type PdfReport } from '../../output/pdf/pdf-report.ts';
import { type ReceiptTexts, receiptTexts } from './receipt-texts.ts';

/** Name of the receipt as JSON inside the PDF. */
const attachedName = 'custody-receipt.json';

interface How {
  /** Of the program: `fonts/` is in it. */
  readonly assetsDir: string;
  readonly language: Language;
}

/** Writes a receipt as PDF with itself as JSON within; answers its path. Rejects as PdfReport.finish does; then nothing has changed. */
export async function writeReceiptPdf(target: Target, receipt: Receipt, { assetsDir, language }: How): Promise<string> {
  const texts = receiptTexts[language];
  const report = createPdfReport(target, {
    title: `${texts.title} ${receipt.document.id}`,
    footer: `${texts.title} · ${receipt.document.id}`,
    assetsDir,
    language,
  });
  try {
    writeParts(report, receipt, texts);
    report.attach(attachedName, Buffer.from(JSON.stringify(receipt, null, 2)), texts.attachment);
    return await report.finish();
  } catch (error) {
    await report.discard();
    throw error;
  }
}

function writeParts(report: PdfReport, receipt: Receipt, texts: ReceiptTexts): void {
  const { file, document, request, times, answer, statuses, connection, program } = receipt;
  const { headings, labels } = texts;
  report.heading(texts.title);
  report.paragraph(texts.nature, { isQuiet: true });
  report.rule();
  report.heading(headings.document, 2);
  report.fields([
    ['ID', document.id],
    [labels.name, document.name],
    [labels.description, document.description],
    [labels.clientReference, document.clientReference],
  ]);
  report.heading(headings.file, 2);
  report.fields([
    [labels.name, file.name ?? ''],
    [labels.size, file.sizeBytes === null ? '' : texts.bytes(file.sizeBytes)],
    ['SHA-256', file.sha256 ?? ''],
  ]);
  report.heading(headings.request, 2);
  report.fields([[labels.operation, request.operation], ...Object.entries(request.fields)]);
  report.heading(headings.times, 2);
  report.fields([
    [labels.taken, times.taken],
    [labels.departed, times.departed ?? ''],
    [labels.answerBegan, times.answerBegan ?? ''],
    [labels.answered, times.answered ?? ''],
  ]);
  report.heading(headings.answer, 2);
  report.paragraph(answerText(texts, answer));
  if (statuses.length > 0) writeStatuses(report, statuses, texts);
  report.heading(headings.connection, 2);
  report.fields(connectionRows(texts, connection));
  report.heading(headings.program, 2);
  report.fields([
    [labels.sentBy, program.sentBy === null ? '' : `Sealdesk ${program.sentBy}`],
    [labels.writtenBy, `Sealdesk ${program.writtenBy}`],
    [labels.writtenAt, program.writtenAt],
    [labels.checksum, receipt.checksum],
  ]);
  report.paragraph(texts.carries, { isQuiet: true });
}

function writeStatuses(
  report: PdfReport,
  statuses: Receipt['statuses'],
  { headings, labels, nothing }: ReceiptTexts,
): void {
  report.heading(headings.statuses, 2);
  const table = report.table([
    { title: labels.status, share: 2 },
    { title: labels.firstAsked, share: 1 },
    { title: labels.lastAsked, share: 1 },
  ]);
  for (const { raw, from, to } of statuses) table.row([raw ?? nothing, from, to]);
}

function answerText(texts: ReceiptTexts, { raw, isAcceptedByPerson }: Receipt['answer']): string {
  if (!isAcceptedByPerson) return raw === null ? texts.noAnswer : texts.quoted(raw);
  return `${raw === null ? `${texts.lostAnswer} ` : `${texts.quoted(raw)}\n`}${texts.decided}`;
}

function connectionRows(
  { labels, noConnection, noTls }: ReceiptTexts,
  connection: Receipt['connection'],
): (readonly [string, string])[] {
  if (!connection) return [[labels.connection, noConnection]];
  return [
    [labels.name, connection.name],
    [labels.address, connection.address],
    [labels.namespace, connection.namespaceUri],
    [labels.soapVersion, connection.soapVersion],
    [labels.certificate, connection.certificateFingerprint ?? noTls],
    [labels.issuer, connection.certificateIssuer ?? ''],
  ];
}
