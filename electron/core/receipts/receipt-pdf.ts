import type { Receipt } from '../../../contract/receipts.ts';
import { createPdfReport } from '../pdf/pdf-report.ts';

/** Name of the receipt as JSON inside the PDF. */
const attachedName = 'custody-receipt.json';

/** Writes a receipt as PDF with itself as JSON within. Rejects as PdfReport.finish does; then nothing has changed. */
export async function writeReceiptPdf(path: string, receipt: Receipt, assetsDir: string): Promise<void> {
  const { file, document, request, times, answer, statuses, connection, program } = receipt;
  const report = createPdfReport(path, {
    title: `Custody receipt ${document.id}`,
    footer: `Custody receipt · ${document.id}`,
    assetsDir,
  });
  try {
    report.heading('Custody receipt');
    report.paragraph(receipt.nature, { isQuiet: true });
    report.rule();
    report.heading('Document', 2);
    report.fields([
      ['ID', document.id],
      ['Name', document.name],
      ['Description', document.description],
      ['Client reference', document.clientReference],
    ]);
    report.heading('File', 2);
    report.fields([
      ['Name', file.name ?? ''],
      ['Size', file.sizeBytes === null ? '' : `${file.sizeBytes} bytes`],
      ['SHA-256', file.sha256 ?? ''],
    ]);
    report.heading('Request', 2);
    report.fields([['Operation', request.operation], ...Object.entries(request.fields)]);
    report.heading('Times (UTC)', 2);
    report.fields([
      ['Taken into the queue', times.taken],
      ['Began to leave', times.departed ?? ''],
      ['Answer began', times.answerBegan ?? ''],
      ['Answer complete', times.answered ?? ''],
    ]);
    report.heading('Answer of the service, as sent', 2);
    report.paragraph(answerText(answer));
    if (statuses.length > 0) {
      report.heading('Statuses of the service, as sent', 2);
      const table = report.table([
        { title: 'Status', share: 2 },
        { title: 'First asked', share: 1 },
        { title: 'Last asked', share: 1 },
      ]);
      for (const { raw, from, to } of statuses) table.row([raw ?? '(nothing)', from, to]);
    }
    report.heading('Connection when it left', 2);
    report.fields(connectionRows(connection));
    report.heading('Program', 2);
    report.fields([
      ['Sent by', program.sentBy === null ? '' : `Sealdesk ${program.sentBy}`],
      ['Receipt written by', `Sealdesk ${program.writtenBy}`],
      ['Receipt written at', program.writtenAt],
      ['Checksum of this receipt', receipt.checksum],
    ]);
    report.paragraph(
      'This PDF carries the receipt as JSON; Sealdesk checks a file against it without asking anybody.',
      {
        isQuiet: true,
      },
    );
    report.attach(attachedName, Buffer.from(JSON.stringify(receipt, null, 2)), 'The same receipt, for programs');
    await report.finish();
  } catch (error) {
    await report.discard();
    throw error;
  }
}

function answerText({ raw, isAcceptedByPerson }: Receipt['answer']): string {
  if (isAcceptedByPerson)
    return `${raw === null ? 'The answer was lost. ' : `“${raw}”\n`}A person decided later that this is the document.`;
  return raw === null ? 'None was kept.' : `“${raw}”`;
}

function connectionRows(connection: Receipt['connection']): (readonly [string, string])[] {
  if (!connection) return [['Connection', 'not written down']];
  return [
    ['Name', connection.name],
    ['Address', connection.address],
    ['Namespace', connection.namespaceUri],
    ['SOAP version', connection.soapVersion],
    ['Certificate (SHA-256)', connection.certificateFingerprint ?? 'none: not over TLS'],
    ['Certificate issued by', connection.certificateIssuer ?? ''],
  ];
}
