import { plainPdf } from './pdf.ts';

/** PDFs that try to crash a reader or to run actions, by their effect. */
export function hostilePdfs(): Readonly<Record<string, Buffer>> {
  return {
    'a hundred thousand pages': hundredThousandPages(),
    'a hundred thousand pages that are not there': ofObjects([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 100000 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
    ]),
    'a page tree that is its own child': ofObjects([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9 >>',
    ]),
    'deep nesting': ofObjects([
      '<< /Type /Catalog /Pages 2 0 R /Names 3 0 R >>',
      `<< /Type /Pages /Count 1 /Kids [4 0 R] /Deep ${'['.repeat(200_000)}${']'.repeat(200_000)} >>`,
      `${'<< /K '.repeat(50_000)}1${' >>'.repeat(50_000)}`,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R >>`,
      stream(`${'q '.repeat(300_000)}0 0 100 100 re f`),
    ]),
    scripts: ofObjects([
      '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\("taken over"\\); document.title = "taken over";) >> /AA << /WC << /S /JavaScript /JS (app.alert\\("taken over"\\);) >> >> >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Annots [4 0 R 5 0 R] >>',
      '<< /Type /Annot /Subtype /Link /Rect [0 0 595 842] /A << /S /URI /URI (https://example.com/) >> >>',
      '<< /Type /Annot /Subtype /Link /Rect [0 0 595 842] /A << /S /Launch /F (/bin/true) >> >>',
    ]),
    'a page as large as a town': ofObjects([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 90000000 90000000] /UserUnit 9999 /Contents 4 0 R >>',
      stream('0 0 90000000 90000000 re f'),
    ]),
    'a broken table': Buffer.from(
      plainPdf('broken')
        .toString('latin1')
        .replace(/\d{10} 00000 n/g, '9999999999 00000 n'),
      'latin1',
    ),
    'only a mark': Buffer.from('%PDF-1.7\n%%EOF\n'),
  };
}

/** All of them there, in a hundred branches. */
function hundredThousandPages(): Buffer {
  const branch = (n: number) => 3 + n * 1001;
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', ''];
  for (let n = 0; n < 100; n += 1) {
    const kids = Array.from({ length: 1000 }, (_, at) => `${branch(n) + 1 + at} 0 R`).join(' ');
    objects.push(`<< /Type /Pages /Parent 2 0 R /Count 1000 /Kids [${kids}] >>`);
    for (let at = 0; at < 1000; at += 1)
      objects.push(`<< /Type /Page /Parent ${branch(n)} 0 R /MediaBox [0 0 595 842] >>`);
  }
  const branches = Array.from({ length: 100 }, (_, n) => `${branch(n)} 0 R`).join(' ');
  objects[1] = `<< /Type /Pages /Count 100000 /Kids [${branches}] >>`;
  return ofObjects(objects);
}

function stream(content: string): string {
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

function ofObjects(objects: readonly string[]): Buffer {
  let body = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\n`;
  return Buffer.from(`${body}${table}startxref\n${body.length}\n%%EOF\n`, 'latin1');
}
