/** A PDF whose objects are kept as they stand in the file, so that further revisions can be put behind it. Text is one byte for each character. */
export interface Revised {
  readonly bytes: Buffer;
  /** Where each revision ends. */
  readonly ends: readonly number[];
  readonly objects: ReadonlyMap<number, string>;
  /** How it says where its objects are. */
  readonly xref: 'table' | 'stream';
  readonly lastXref: number | null;
}

export function emptyPdf(xref: 'table' | 'stream'): Revised {
  const bytes = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1');
  return { bytes, ends: [], objects: new Map(), xref, lastXref: null };
}

/** The next revision: these objects, with the place of each, behind all that there is. */
export function append(pdf: Revised, changes: ReadonlyMap<number, string>): Revised {
  const offsets = new Map<number, number>();
  let body = '';
  const write = (number: number, value: string) => {
    offsets.set(number, pdf.bytes.length + body.length);
    body += `${number} 0 obj\n${value}\nendobj\n`;
  };
  for (const [number, value] of changes) write(number, value);
  const objects = new Map([...pdf.objects, ...changes]);
  const size = Math.max(...objects.keys()) + 1;
  const previous = pdf.lastXref === null ? '' : ` /Prev ${pdf.lastXref}`;
  const lastXref = pdf.bytes.length + body.length;
  if (pdf.xref === 'table') {
    body += `xref\n${tableOf(offsets, pdf.lastXref === null)}trailer\n<< /Size ${size} /Root 1 0 R${previous} >>\n`;
  } else {
    // Its own number is taken anew in each revision, as the table is an object too.
    offsets.set(size, lastXref);
    objects.set(size, 'null');
    const rows = [...offsets].sort(([one], [other]) => one - other);
    const index = rows.map(([number]) => `${number} 1`).join(' ');
    const data = rows.map(([, offset]) => String.fromCharCode(1, offset >> 16, (offset >> 8) & 0xff, offset & 0xff, 0));
    const dictionary = `/Type /XRef /Size ${size + 1} /Root 1 0 R${previous} /W [1 3 1] /Index [${index}]`;
    body += `${size} 0 obj\n${stream(dictionary, data.join(''))}\nendobj\n`;
  }
  body += `startxref\n${lastXref}\n%%EOF\n`;
  const bytes = Buffer.concat([pdf.bytes, Buffer.from(body, 'latin1')]);
  return { ...pdf, bytes, ends: [...pdf.ends, bytes.length], objects, lastXref };
}

export function stream(entries: string, data: string): string {
  return `<< ${entries} /Length ${data.length} >>\nstream\n${data}\nendstream`;
}

/** One section for each object; the first revision has the head of the free ones too. */
function tableOf(offsets: ReadonlyMap<number, number>, isFirst: boolean): string {
  const rows = [...offsets].map(([number, at]) => `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`);
  return (isFirst ? '0 1\n0000000000 65535 f \n' : '') + rows.join('');
}
