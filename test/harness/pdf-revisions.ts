import { deflateSync } from 'node:zlib';

/** A PDF whose objects are kept as they stand in the file, so that further revisions can be put behind it. Text is one byte for each character. */
export interface Revised {
  readonly bytes: Buffer;
  /** Where each revision ends. */
  readonly ends: readonly number[];
  readonly objects: ReadonlyMap<number, string>;
  readonly xref: XrefForm;
  readonly lastXref: number | null;
  /** The number of the catalog, unless it is the first. */
  readonly root?: number;
  /** Of each trailer, besides what every one has. */
  readonly trailer?: string;
}

/** How a file says where its objects are; in all but the first two, objects that need no place of their own are packed into one. */
export type XrefForm = 'table' | 'stream' | 'packed' | 'hybrid';

export function emptyPdf(xref: XrefForm): Revised {
  const bytes = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1');
  return { bytes, ends: [], objects: new Map(), xref, lastXref: null };
}

/** The next revision: these objects, with the place of each, behind all that there is. */
export function append(pdf: Revised, changes: ReadonlyMap<number, string>): Revised {
  const offsets = new Map<number, number>();
  const objects = new Map([...pdf.objects, ...changes]);
  // Numbers of their own, taken anew in each revision, as packed objects and places are objects too.
  let size = Math.max(...objects.keys()) + 1;
  let body = '';
  const write = (number: number, value: string) => {
    offsets.set(number, pdf.bytes.length + body.length);
    body += `${number} 0 obj\n${value}\nendobj\n`;
  };
  const isPacked = pdf.xref === 'packed' || pdf.xref === 'hybrid';
  const packed = [...changes].filter(([, value]) => isPacked && !/\bstream\n|\/ByteRange/.test(value));
  for (const [number, value] of changes) if (!packed.some(([one]) => one === number)) write(number, value);
  const container = size;
  if (packed.length > 0) write(size++, packObjects(packed));
  const places: Place[] = [
    ...[...offsets].map(([number, offset]): Place => [number, 1, offset, 0]),
    ...packed.map(([number], index): Place => [number, 2, container, index]),
  ];
  const previous = pdf.lastXref === null ? '' : ` /Prev ${pdf.lastXref}`;
  const root = `/Root ${pdf.root ?? 1} 0 R${pdf.trailer ?? ''}${previous}`;
  let lastXref = pdf.bytes.length + body.length;
  if (pdf.xref === 'table') {
    body += `xref\n${tableOf(offsets, pdf.lastXref === null)}trailer\n<< /Size ${size} ${root} >>\n`;
  } else {
    const own = size++;
    const hidden =
      pdf.xref === 'hybrid' ? places.filter(([, kind]) => kind === 2) : [...places, [own, 1, lastXref, 0] as const];
    write(own, xrefStream(hidden, `/Size ${size} ${pdf.xref === 'hybrid' ? '/Root 1 0 R' : root}`));
    if (pdf.xref === 'hybrid') {
      const beside = lastXref;
      lastXref = pdf.bytes.length + body.length;
      body += `xref\n${tableOf(offsets, pdf.lastXref === null)}trailer\n<< /Size ${size} ${root} /XRefStm ${beside} >>\n`;
    }
  }
  for (let number = container; number < size; number++) if (!objects.has(number)) objects.set(number, 'null');
  body += `startxref\n${lastXref}\n%%EOF\n`;
  const bytes = Buffer.concat([pdf.bytes, Buffer.from(body, 'latin1')]);
  return { ...pdf, bytes, ends: [...pdf.ends, bytes.length], objects, lastXref };
}

type Place = readonly [number: number, kind: number, offset: number, index: number];

function xrefStream(places: readonly Place[], entries: string): string {
  const rows = [...places].sort(([one], [other]) => one - other);
  const index = rows.map(([number]) => `${number} 1`).join(' ');
  const data = rows.map(([, kind, offset, at]) =>
    String.fromCharCode(kind, offset >> 16, (offset >> 8) & 0xff, offset & 0xff, at),
  );
  return stream(`/Type /XRef ${entries} /W [1 3 1] /Index [${index}]`, data.join(''));
}

/** Compressed, as programs do it. */
function packObjects(packed: readonly (readonly [number, string])[]): string {
  const values = packed.map(([, value]) => `${value}\n`);
  const offsets = values.map((_, index) => values.slice(0, index).join('').length);
  const head = packed.map(([number], index) => `${number} ${offsets[index]}`).join(' ');
  const data = deflateSync(Buffer.from(`${head}\n${values.join('')}`, 'latin1')).toString('latin1');
  return stream(`/Type /ObjStm /N ${packed.length} /First ${head.length + 1} /Filter /FlateDecode`, data);
}

/** One revision whose places of the first page stand at the beginning, so that they come over a network first (ISO 32000-2, annex F). */
export function linearisedPdf(objects: ReadonlyMap<number, string>, size: number): Revised {
  const [page = 3] = [...objects.keys()].slice(-1);
  const front = objects.get(page) ?? '';
  const rest = [...objects].filter(([number]) => number !== page);
  const digits = (value: number) => String(value).padStart(10, '0');
  const build = (length: number, main: number): Revised => {
    let body = '%PDF-1.7\n';
    const offsets = new Map<number, number>();
    const write = (number: number, value: string) => {
      offsets.set(number, body.length);
      body += `${number} 0 obj\n${value}\nendobj\n`;
    };
    write(size, `<< /Linearized 1 /L ${digits(length)} /H [0 0] /O ${page} /E 0 /N 1 /T ${digits(main)} >>`);
    const first = body.length;
    const frontTable = () =>
      tableOf(new Map([...offsets].filter(([number]) => number === size || number === page)), false);
    const trailer = `trailer\n<< /Size ${size + 1} /Root 1 0 R /Prev ${digits(main)} >>\nstartxref\n0\n%%EOF\n`;
    const rowBytes = (number: number) => `${number} 1\n`.length + 20;
    offsets.set(page, first + 'xref\n'.length + rowBytes(size) + rowBytes(page) + trailer.length);
    body += `xref\n${frontTable()}${trailer}`;
    write(page, front);
    for (const [number, value] of rest) write(number, value);
    const at = body.length;
    const others = new Map([...offsets].filter(([number]) => number !== size && number !== page));
    body += `xref\n${tableOf(others, true)}trailer\n<< /Size ${size} >>\nstartxref\n${first}\n%%EOF\n`;
    const all = new Map([...objects, [size, 'null'] as const]);
    const bytes = Buffer.from(body, 'latin1');
    return length
      ? { bytes, ends: [bytes.length], objects: all, xref: 'table', lastXref: first }
      : build(bytes.length, at);
  };
  return build(0, 0);
}

export function stream(entries: string, data: string): string {
  return `<< ${entries} /Length ${data.length} >>\nstream\n${data}\nendstream`;
}

/** One section for each object; the first revision has the head of the free ones too. */
function tableOf(offsets: ReadonlyMap<number, number>, isFirst: boolean): string {
  const rows = [...offsets].map(([number, at]) => `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`);
  return (isFirst ? '0 1\n0000000000 65535 f \n' : '') + rows.join('');
}
