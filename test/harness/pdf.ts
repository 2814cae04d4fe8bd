/** A small PDF that readers open, with `text` on its one page. Different texts are different files. */
export function plainPdf(text: string): Buffer {
  return pdf(text, (table, size) => `${table}trailer\n<< /Size ${size} /Root 1 0 R >>\n`);
}

/** As `plainPdf`, saying in its trailer that it is encrypted. Nobody can open it. */
export function encryptedPdf(how: 'trailer' | 'stream'): Buffer {
  return pdf('encrypted', (table, size) =>
    how === 'trailer'
      ? `${table}trailer\n<< /Size ${size} /Root 1 0 R /Encrypt 9 0 R /ID [<00><00>] >>\n`
      : `9 0 obj\n<< /Type /XRef /Size ${size} /W [1 2 1] /Root 1 0 R /Encrypt 8 0 R /Length 4 >>\nstream\n\0\0\0\0\nendstream\nendobj\n`,
  );
}

function pdf(text: string, end: (table: string, size: number) => string): Buffer {
  const content = `BT /F1 18 Tf 40 700 Td (${text.replaceAll(/[\\()]/g, '\\$&')}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  return Buffer.from(`${body}${end(table, objects.length + 1)}startxref\n${body.length}\n%%EOF\n`, 'latin1');
}
