import { stream } from './pdf-revisions.ts';
import { objectNumbers, type SignedPdf, unsignedPdf } from './signed-pdf.ts';
import { makeSigner } from './signers.ts';

export const signer = makeSigner({ key: 'rsa', name: 'Ana Ruiz' });
export const forger = makeSigner({ key: 'p256', name: 'Ana Ruiz' });
const { catalog, pages, page, content, font, form, firstField } = objectNumbers;

/** Field, then the signature in it. */
const field = 9;
const value = 10;
export const plain = unsignedPdf({ fields: ['name', 'place'] });
export const signed = plain.sign({ signer, field: 'First' });
export const certified = (certifies: 1 | 2 | 3) => plain.sign({ signer, field: 'First', certifies });

const text = (pdf: SignedPdf) => pdf.bytes.toString('latin1');
const bytesOf = (changed: string) => Buffer.from(changed, 'latin1');
/** The same length, so that all places hold. */
const swapped = (pdf: SignedPdf, from: string | RegExp, to: string) =>
  bytesOf(text(pdf).replace(from, (found) => to.padEnd(found.length)));
const entry = (dictionary: string, more: string) => dictionary.replace(/ >>$/, ` ${more} >>`);
const forgedContent = stream('', 'BT /F1 18 Tf 40 700 Td (Sale) Tj ET');
const body = `${content} 0 obj\n${forgedContent}\nendobj\n`;
const appended = (more: string) => Buffer.concat([signed.bytes, Buffer.from(more, 'latin1')]);
const lastXrefOf = (pdf: SignedPdf) => /startxref\n(\d+)\n%%EOF\n$/.exec(text(pdf))?.[1] ?? '';
const lastXref = lastXrefOf(signed);
const widget = (box: string, more: string) =>
  `<< /Type /Annot /Subtype /Widget /FT /Sig /T (Sneaky) /F 4 /Rect [${box}] ${more} >>`;
const overlay = stream('/Type /XObject /Subtype /Form /BBox [0 0 595 842]', '1 g 0 0 595 842 re f');
const listed = (numbers: readonly number[]) => numbers.map((number) => `${number} 0 R`).join(' ');
const withAnnotation = (pdf: SignedPdf, ...numbers: readonly number[]) =>
  pdf.object(page).replace(/\/Annots \[(.*?)\]/, `/Annots [$1 ${listed(numbers)}]`);
const withField = (pdf: SignedPdf, ...numbers: readonly number[]) =>
  pdf.object(form).replace(/\/Fields \[(.*?)\]/, `/Fields [$1 ${listed(numbers)}]`);

/** All that is shown of the page. */
const whole = '0 0 595 842';
const overlaid = '/AP << /N 41 0 R >>';
/** Fields or notes, and what they are drawn with, in this revision: on the page, and in the form if they are fields. */
function withPlaces(pdf: SignedPdf, objects: Readonly<Record<number, string>>, isForm = true): Record<number, string> {
  const top = Object.entries(objects).flatMap(([number, one]) => (one.includes('/Parent ') ? [] : Number(number)));
  const changed = isForm ? withField(pdf, ...top) : pdf.object(form);
  return { ...objects, 41: overlay, [page]: withAnnotation(pdf, ...top), [form]: changed };
}
const place = (more: string, box = whole) =>
  `<< /Type /Annot /Subtype /Widget /T (Sneaky) /F 4 /Rect [${box}] ${more} >>`;
const note = (subtype: string, more: string, box = '40 690 90 720') =>
  `<< /Type /Annot /Subtype /${subtype} /F 4 /Rect [${box}] ${more} >>`;
/** A place that was there, or waited in the form only, when this was signed. */
function prepared(look: string, { isShown = true, certifies }: { isShown?: boolean; certifies?: 1 | 2 | 3 } = {}) {
  const { [page]: shown = '', ...hidden } = withPlaces(plain, { 40: look });
  return plain.replace(isShown ? { ...hidden, [page]: shown } : hidden).sign({ signer, field: 'First', certifies });
}
const at = new Date('2026-03-03T10:00:00Z');
/** Notes that were there when it was certified so that they may be changed. */
const noted = (objects: Readonly<Record<number, string>>) =>
  plain.replace(withPlaces(plain, objects, false)).sign({ signer, field: 'First', certifies: 3 });
const tenths = Array.from({ length: 11 }, (_, row) => `0 ${row * 80} 595 ${row * 80 + 80}`);

/** Signed with a text of which the field says so that it is drawn. */
function textDrawnWith(look: string): SignedPdf {
  const bare = plain.replace({
    [firstField]: entry(plain.object(firstField), `/V (100) ${look && `/DA (${look})`}`),
    [form]: look ? plain.object(form) : plain.object(form).replace(/\/DA \(.*?\) /, ''),
  });
  return bare.sign({ signer, field: 'First' });
}

/** Its letters are other ones. */
function withFont(pdf: SignedPdf, name: string): Buffer {
  const added = pdf.object(form).replace('<< /F1 ', `<< /${name} 50 0 R /F1 `);
  return pdf.replace({ [form]: added, 50: pdf.object(font).replace('Helvetica', 'ZapfDingbats') }).bytes;
}

/** Letters that stand in the store of certificates as an object of the page would: who looks for objects without their places finds it. */
const store = (pdf: SignedPdf, more = '') => ({
  [catalog]: entry(pdf.object(catalog), `/DSS << /Type /DSS /Certs [50 0 R] >>${more}`),
  50: hiding,
});
const hiding = stream('', `\n${body}`);
/** A signature field that is a note besides, which nobody signed; in a file that is there already. */
const asNote = (pdf: SignedPdf, subtype: string, more: string, box = '0 421 595 421') =>
  withPlaces(pdf, { 40: note(subtype, `/FT /Sig /T (Sneaky) ${more}`, box) });
const thickLine = '/L [0 421 595 421] /BS << /W 900 >> /C [1 1 1]';
/** Takes back the clip of its own place, and draws the page. */
const unclipped = stream('/Type /XObject /Subtype /Form /BBox [0 0 99 99]', 'Q Q Q Q 1 g 0 0 999 999 re f');
/** The page in a stream of objects with this head. */
const packedPage = (head: string, data: string) =>
  stream(`/Type /ObjStm /N 2 /First ${head.length + 1}`, `${head}\n${data}\n`);
function packedTwice(pdf: SignedPdf): string {
  const other = pdf.object(page).replace(`/Contents ${content} 0 R`, '/Contents 60 0 R');
  return packedPage(`${page} 0 ${page} ${pdf.object(page).length + 1}`, `${pdf.object(page)}\n${other}`);
}
/** A later revision with its places in a stream, as numbers of so many bytes; the page is in object 90 if that is one of its. */
function streamedLater(pdf: SignedPdf, objects: Readonly<Record<number, string>>, width = 3): Buffer {
  let added = '';
  const places = Object.entries({ ...objects, 91: '' }).map(([number, one]) => {
    const at = pdf.bytes.length + added.length;
    if (one) added += `${number} 0 obj\n${one}\nendobj\n`;
    return [Number(number), 1, at] as const;
  });
  const rows = [...places, ...(90 in objects ? [[page, 2, 90] as const] : [])].sort(([one], [other]) => one - other);
  const wide = (one: number) => String.fromCharCode(one >> 16, (one >> 8) & 0xff, one & 0xff).padStart(width, '\0');
  const data = rows.map(([, kind, at]) => wide(kind) + wide(at) + wide(0)).join('');
  const index = rows.map(([number]) => `${number} 1`).join(' ');
  const entries = `/Root 1 0 R /Prev ${lastXrefOf(pdf)} /W [${width} ${width} ${width}] /Index [${index}]`;
  const end = `startxref\n${pdf.bytes.length + added.length}\n%%EOF\n`;
  return Buffer.concat([
    pdf.bytes,
    bytesOf(`${added}91 0 obj\n${stream(`/Type /XRef /Size 92 ${entries}`, data)}\nendobj\n${end}`),
  ]);
}

/** Second ranges of the signature that skip more than its contents, with the file moved apart there (Mladenov et al., 2019). */
function wrapped(inside: string): Buffer {
  const old = text(signed);
  const [range = '', , gap = '', rest = '', length = ''] = /\[ *(\d+) +(\d+) +(\d+) +(\d+)\]/.exec(old) ?? [];
  const moved = String(Number(rest) + inside.length).padStart(9);
  const head = old
    .slice(0, Number(rest))
    .replace(range, `[${['0', gap].map((one) => one.padStart(9)).join(' ')} ${moved} ${length.padStart(9)}]`);
  return bytesOf(head + inside + old.slice(Number(rest)));
}

const twice = text(signed.sign({ signer: forger, field: 'Second' }));
/** The second of two entries as the first. */
function asFirst(pdf: string, entries: RegExp): string {
  const [first = ''] = pdf.match(entries) ?? [];
  let seen = 0;
  return pdf.replace(entries, (found) => (seen++ === 0 ? found : first));
}

/** Files that were honest ones, forged by the published recipes (Mladenov et al. 2019, Mainka et al. 2021, Rohlmann et al. 2021), by what was done to them. */
export const forgeries: Readonly<Record<string, () => Buffer>> = {
  // Universal signature forgery: nothing to verify is taken for verified.
  'empty contents': () => swapped(signed, /\/Contents <[0-9a-f]+>/, '/Contents <>'),
  'zeros as contents': () => swapped(signed, /\/Contents <[0-9a-f]+>/, '/Contents <00>'),
  'null as contents': () => swapped(signed, /\/Contents <[0-9a-f]+>/, '/Contents null'),
  'no contents': () => swapped(signed, /\/Contents <[0-9a-f]+>/, ''),
  'contents as text': () => swapped(signed, /\/Contents <[0-9a-f]+>/, '/Contents (signed)'),
  'null as byte range': () => swapped(signed, /\/ByteRange \[.*?\]/, '/ByteRange null'),
  'no byte range': () => swapped(signed, /\/ByteRange \[.*?\]/, ''),
  'an empty byte range': () => swapped(signed, /\/ByteRange \[.*?\]/, '/ByteRange []'),
  'a byte range of zeros': () => swapped(signed, /\/ByteRange \[.*?\]/, '/ByteRange [0 0 0 0]'),
  'a negative byte range': () => swapped(signed, /\/ByteRange \[ *0/, '/ByteRange [-1'),
  'two pairs more': () =>
    swapped(signed, /\/ByteRange \[ *(\d+) +(\d+) +(\d+) +(\d+)\]/, '/ByteRange [0 1 2 3 4 5 6 7]'),
  'no value at all': () => swapped(signed, `/V ${value} 0 R`, '/V 77 0 R'),
  // Incremental saving: an update that is not seen as one.
  'a body without places': () => appended(body),
  'a body with an end': () => appended(`${body}%%EOF\n`),
  'a body and a trailer': () => appended(`${body}trailer\n<< /Size 20 /Root 1 0 R >>\nstartxref\n${lastXref}\n%%EOF\n`),
  'a body with the places of before': () => appended(`${body}startxref\n${lastXref}\n%%EOF\n`),
  'a body with empty places': () =>
    appended(
      `${body}xref\n0 0\ntrailer\n<< /Size 20 /Root 1 0 R /Prev ${lastXref} >>\nstartxref\n${signed.bytes.length + body.length}\n%%EOF\n`,
    ),
  'places without those of before': () =>
    bytesOf(
      text(signed.replace({ [content]: forgedContent })).replace(
        / \/Prev \d+(?= >>\nstartxref\n\d+\n%%EOF\n$)/,
        (found) => ' '.repeat(found.length),
      ),
    ),
  'a copy of the signature in an update': () =>
    signed.replace({ [content]: forgedContent, [value]: signed.object(value) }).bytes,
  'another catalog': () =>
    bytesOf(
      text(
        signed.replace({
          30: signed.object(catalog).replace(`/Pages ${pages}`, '/Pages 31'),
          31: '<< /Type /Pages /Kids [32 0 R] /Count 1 >>',
          32: signed.object(page).replace(`/Parent ${pages}`, '/Parent 31'),
        }),
      ).replace(/\/Root 1 0 R(?=[^R]*$)/, '/Root 30 0 R'),
    ),
  // Signature wrapping: the bytes that were signed are moved, others take their place.
  'objects in the gap': () => wrapped(`\n${body}`),
  'comments in the gap': () => wrapped('\n%signed\n'),
  'white space in the gap': () => wrapped('    '),
  'the gap of another signature': () => bytesOf(asFirst(twice, /\/ByteRange \[.*?\]/g)),
  'the gap of another signature, which is there twice': () =>
    bytesOf(asFirst(asFirst(twice, /\/ByteRange \[.*?\]/g), /\/Contents <.*?>/g)),
  'the signature in a field of another name': () =>
    signed.replace({
      40: signed.object(field).replace('(First)', '(Director)'),
      [form]: withField(signed, 40),
      [page]: withAnnotation(signed, 40),
    }).bytes,
  'the signature renamed': () =>
    signed.replace({ [field]: signed.object(field).replace('(First)', '(Director)') }).bytes,
  // Shadow attacks: what waited in the signed document is brought up, or what hid it is taken away.
  'replaced content': () => signed.replace({ [content]: forgedContent }).bytes,
  'a font that writes other letters': () =>
    signed.replace({ [font]: entry(signed.object(font), '/Encoding << /Type /Encoding /Differences [76 /S] >>') })
      .bytes,
  'an object that was not used before': () =>
    unsignedPdf({ text: 'Lease' })
      .replace({ 8: forgedContent })
      .sign({ signer })
      .replace({ [page]: signed.object(page).replace(`/Contents ${content}`, '/Contents 8') }).bytes,
  'content that waited for its object': () =>
    plain
      .replace({ [page]: plain.object(page).replace(`/Contents ${content} 0 R`, `/Contents [${content} 0 R 50 0 R]`) })
      .sign({ signer, field: 'First' })
      .replace({ 50: forgedContent }).bytes,
  'content of another generation': () =>
    plain
      .replace({ [page]: plain.object(page).replace(`/Contents ${content} 0 R`, `/Contents ${content} 1 R`) })
      .sign({ signer, field: 'First' })
      .replace({ [content]: forgedContent }).bytes,
  'a length that is another one': () =>
    plain
      .replace({
        50: '20',
        [content]: plain.object(content).replace(/\/Length \d+/, (found) => `/Length 50 0 R`.padEnd(found.length)),
      })
      .sign({ signer })
      .replace({ 50: '10' }).bytes,
  'an appearance without another value': () => {
    const filled = plain.fill('name', 'Ana').sign({ signer });
    return filled.replace({
      60: overlay,
      [firstField]: filled.object(firstField).replace(/\/AP << \/N \d+ 0 R >>/, '/AP << /N 60 0 R >>'),
    }).bytes;
  },
  'a field that is moved': () =>
    signed.replace({ [firstField]: signed.object(firstField).replace('[40 600', '[40 100') }).bytes,
  'a field that is removed': () =>
    signed.replace({
      [form]: signed.object(form).replace(`${firstField} 0 R`, ''),
      [page]: signed.object(page).replace(`${firstField} 0 R`, ''),
    }).bytes,
  'a signature that is removed': () =>
    signed.replace({ [field]: signed.object(field).replace(/ \/V \d+ 0 R/, '') }).bytes,
  'all fields removed': () =>
    signed.replace({
      [catalog]: signed.object(catalog).replace(/ \/AcroForm \d+ 0 R/, ''),
      [page]: signed.object(page).replace(/\/Annots \[.*?\]/, ''),
    }).bytes,
  'an appearance that the page draws too': () => {
    const shared = plain.fill('name', 'Ana');
    const drawn = Number(/\/N (\d+) 0 R/.exec(shared.object(firstField))?.[1]);
    const both = shared
      .replace({ [page]: shared.object(page).replace('/Resources <<', `/Resources << /XObject << /P ${drawn} 0 R >>`) })
      .sign({ signer });
    return both.replace({ [drawn]: overlay }).bytes;
  },
  // Attacks on certification, and on what approval signatures let pass.
  'an unsigned field over the page': () => {
    const pdf = certified(2);
    return pdf.replace({
      40: widget('100 100 300 300', '/AP << /N 41 0 R >>'),
      41: overlay,
      [form]: withField(pdf, 40),
      [page]: withAnnotation(pdf, 40),
    }).bytes;
  },
  'a signed field over the page': () =>
    certified(2).sign({ signer: forger, field: 'Sneaky', box: [0, 0, 595, 600] }).bytes,
  'a field that is on the page only': () =>
    signed.replace({
      40: widget('100 100 300 300', '/AP << /N 41 0 R >>'),
      41: overlay,
      [page]: withAnnotation(signed, 40),
    }).bytes,
  'an annotation of no kind': () => {
    const pdf = certified(3);
    return pdf.replace({
      40: '<< /Type /Annot /Subtype /Evil /Rect [0 0 595 842] /AP << /N 41 0 R >> >>',
      41: overlay,
      [page]: withAnnotation(pdf, 40),
    }).bytes;
  },
  'an annotation that is locked': () => {
    const pdf = certified(3);
    return pdf.replace({
      40: '<< /Type /Annot /Subtype /FreeText /F 196 /Rect [0 0 595 842] /AP << /N 41 0 R >> >>',
      41: overlay,
      [page]: withAnnotation(pdf, 40),
    }).bytes;
  },
  'a certification that is taken away': () =>
    certified(1).replace({ [catalog]: signed.object(catalog), [content]: forgedContent }).bytes,
  'a certification that is made weaker': () => {
    const pdf = certified(1);
    return pdf.replace({ [value]: pdf.object(value).replace('/P 1', '/P 3') }).annotate('No').bytes;
  },
  'a text field that runs a program': () =>
    signed.replace({ [firstField]: entry(signed.object(firstField), '/AA << /K << /S /JavaScript /JS (1) >> >>') })
      .bytes,
  // More of the same kinds, in other clothes.
  'a byte range in an object of its own': () => {
    const [range = ''] = /\[ *\d+ +\d+ +\d+ +\d+\]/.exec(text(signed)) ?? [];
    return signed.replace({
      [value]: signed.object(value).replace(/\/ByteRange \[.*?\]/, '/ByteRange 45 0 R'),
      45: range,
    }).bytes;
  },
  'a byte range of fractions': () => swapped(signed, /\/ByteRange \[ *0 /, '/ByteRange [.5 '),
  'a name that is written twice, once in digits': () => swapped(signed, /\/Type \/Sig/, '/#46ilter/'),
  'an object that waited in a stream': () => {
    const hidden = `${content} 0 obj\n${forgedContent}\nendobj\n`;
    const waiting = plain.replace({ 50: stream('', hidden) }).sign({ signer, field: 'First' });
    const at = waiting.bytes.indexOf(hidden, 0, 'latin1');
    const places = `xref\n${content} 1\n${String(at).padStart(10, '0')} 00000 n \ntrailer\n<< /Size 60 /Root 1 0 R /Prev ${lastXrefOf(waiting)} >>\n`;
    return Buffer.concat([waiting.bytes, bytesOf(`${places}startxref\n${waiting.bytes.length}\n%%EOF\n`)]);
  },
  'content that is made free': () => {
    const places = `xref\n${content} 1\n0000000000 00001 f \ntrailer\n<< /Size 20 /Root 1 0 R /Prev ${lastXref} >>\n`;
    return appended(`${places}startxref\n${signed.bytes.length}\n%%EOF\n`);
  },
  'a layer that is switched on': () => {
    const layers = (off: string) => `/OCProperties << /OCGs [50 0 R] /D << /Order [50 0 R] /OFF [${off}] >> >>`;
    const layered = plain
      .replace({
        50: '<< /Type /OCG /Name (Price) >>',
        [catalog]: entry(plain.object(catalog), layers('50 0 R')),
      })
      .sign({ signer, field: 'First' });
    return layered.replace({ [catalog]: layered.object(catalog).replace(layers('50 0 R'), layers('')) }).bytes;
  },
  'a program that runs when the file is opened': () =>
    signed.replace({ [catalog]: entry(signed.object(catalog), '/OpenAction << /S /JavaScript /JS (1) >>') }).bytes,
  'a form of another kind': () =>
    signed.replace({ [form]: entry(signed.object(form), '/XFA 50 0 R'), 50: overlay }).bytes,
  'resources that are exchanged above the page': () =>
    signed.replace({
      [pages]: entry(signed.object(pages), '/Resources << /Font << /F1 50 0 R >> >> /Rotate 180'),
      50: signed.object(font).replace('Helvetica', 'Symbol'),
    }).bytes,
  'a note that covers the page': () => {
    const pdf = certified(3);
    return pdf.replace({
      40: '<< /Type /Annot /Subtype /FreeText /F 4 /Rect [0 0 595 842] /DA (/F1 12 Tf) /AP << /N 41 0 R >> >>',
      41: overlay,
      [page]: withAnnotation(pdf, 40),
    }).bytes;
  },
  'a note that grows over the page': () => {
    const note = (box: string) => `<< /Type /Annot /Subtype /FreeText /F 4 /Rect [${box}] /DA (/F1 12 Tf) >>`;
    const noted = plain.replace({ 40: note('40 690 90 720'), [page]: withAnnotation(plain, 40) });
    return noted.sign({ signer, field: 'First', certifies: 3 }).replace({ 40: note('0 0 595 842') }).bytes;
  },
  // What a viewer draws fields anew with.
  'a font that a signed text is missing': () => withFont(textDrawnWith('/F9 12 Tf'), 'F9'),
  'a font for a text that names none': () => withFont(textDrawnWith(''), 'Helvetica'),
  'a look for texts that have none': () => {
    const pdf = textDrawnWith('');
    return pdf.replace({ [form]: entry(pdf.object(form), '/DA (/F1 90 Tf)') }).bytes;
  },
  'a form that asks to be drawn anew': () =>
    signed.replace({ [form]: entry(signed.object(form), '/NeedAppearances true') }).bytes,
  'a note that a certification after it allows': () =>
    signed.annotate('No').sign({ signer: forger, field: 'Second', certifies: 3 }).bytes,
  'a signature that covers all that is shown of a page': () => {
    const box = plain.object(page).replace('[0 0 595 842]', '[0 0 6000 6000] /CropBox [0 0 595 842]');
    const cropped = plain.replace({ [page]: box }).sign({ signer, field: 'First' });
    return cropped.sign({ signer: forger, field: 'Second', box: [0, 0, 595, 842] }).bytes;
  },
  'signatures over the page in strips': () =>
    Array.from({ length: 10 }, (_, at) => at * 80).reduce(
      (pdf, from) => pdf.sign({ signer: forger, field: `From ${from}`, box: [0, from, 595, from + 80] }),
      signed,
    ).bytes,
  // Places that one rule took for another's, drawn over the page.
  'a field with nothing but an empty one below it': () =>
    signed.replace(
      withPlaces(signed, { 40: place(`${overlaid} /Kids [42 0 R]`), 42: '<< /FT /Sig /T (Empty) /Parent 40 0 R >>' }),
    ).bytes,
  'a signature field with no places below it': () =>
    signed.replace(withPlaces(signed, { 40: place(`/FT /Sig ${overlaid} /Kids []`) })).bytes,
  'a signature field with a place of no size below it': () =>
    certified(2).replace(
      withPlaces(certified(2), {
        40: place(`/FT /Sig ${overlaid} /Kids [42 0 R]`),
        42: '<< /Type /Annot /Subtype /Widget /Rect [0 0 0 0] /Parent 40 0 R >>',
      }),
    ).bytes,
  'a place whose rectangle stands above it': () =>
    signed.replace({
      ...withPlaces(signed, { 40: `<< /FT /Sig /T (Sneaky) /Rect [${whole}] /Kids [42 0 R] >>` }),
      42: `<< /Type /Annot /Subtype /Widget /Parent 40 0 R /F 4 ${overlaid} >>`,
      [page]: withAnnotation(signed, 42),
    }).bytes,
  'a signature in a field with no places below it': () =>
    signed.sign({
      signer: forger,
      holder: (held) => withPlaces(signed, { 40: place(`/FT /Sig /V ${held} 0 R ${overlaid} /Kids []`) }),
    }).bytes,
  'a timestamp in a field with no places below it': () => {
    const pdf = certified(1);
    const holder = (held: number) => withPlaces(pdf, { 40: place(`/FT /Sig /V ${held} 0 R ${overlaid} /Kids []`) });
    return pdf.timestamp({ signer: forger, at, holder }).bytes;
  },
  'a timestamp that is drawn where nothing may be': () => {
    const pdf = certified(1);
    const holder = (held: number) =>
      withPlaces(pdf, { 40: place(`/FT /Sig /V ${held} 0 R ${overlaid}`, '40 690 240 720') });
    return pdf.timestamp({ signer: forger, at, holder }).bytes;
  },
  'a signature whose place is on a large page and on a small one': () => {
    const two = plain
      .replace({
        [pages]: `<< /Type /Pages /Kids [${page} 0 R 50 0 R] /Count 2 >>`,
        50: plain
          .object(page)
          .replace('[0 0 595 842]', '[0 0 6000 6000]')
          .replace(/\/Annots \[.*?\]/, '/Annots []'),
      })
      .sign({ signer, field: 'First' });
    const holder = (held: number) => ({
      ...withPlaces(two, { 40: place(`/FT /Sig /V ${held} 0 R ${overlaid}`) }),
      50: two.object(50).replace('/Annots []', '/Annots [40 0 R]'),
    });
    return two.sign({ signer: forger, holder }).bytes;
  },
  'a background of a field that nobody signed': () =>
    signed.replace(withPlaces(signed, { 40: place('/FT /Sig /MK << /BG [1] >>', '40 690 240 720') })).bytes,
  'a field that waited outside of all pages': () => {
    const pdf = prepared(place(`/FT /Tx /V (100) ${overlaid}`), { isShown: false });
    return pdf.replace({ [page]: withAnnotation(pdf, 40) }).bytes;
  },
  'a field that waited outside of all pages of what nobody may change': () => {
    const pdf = prepared(place(`/FT /Tx /V (100) ${overlaid}`), { isShown: false, certifies: 1 });
    return pdf.replace({ [page]: withAnnotation(pdf, 40) }).bytes;
  },
  'a field that waited on another page': () => {
    const two = plain
      .replace({
        ...withPlaces(plain, { 40: place(`/FT /Tx /V (100) ${overlaid}`) }),
        [pages]: `<< /Type /Pages /Kids [${page} 0 R 50 0 R] /Count 2 >>`,
        50: plain.object(page).replace(/\/Annots \[.*?\]/, '/Annots []'),
      })
      .sign({ signer, field: 'First' });
    return two.replace({ 50: two.object(50).replace('/Annots []', '/Annots [40 0 R]') }).bytes;
  },
  'a signature drawn over the page in a field that was there': () =>
    prepared(place('/FT /Sig')).sign({
      signer: forger,
      holder: (held) => ({ 40: place(`/FT /Sig /V ${held} 0 R ${overlaid}`), 41: overlay }),
    }).bytes,
  'a signature drawn over a third of the page in a field that was hidden': () => {
    const third = (more: string, flags: number) =>
      place(`/FT /Sig ${more}`, '0 500 595 800').replace('/F 4', `/F ${flags}`);
    return prepared(third('', 2)).sign({
      signer: forger,
      holder: (held) => ({ 40: third(`/V ${held} 0 R ${overlaid}`, 4), 41: overlay }),
    }).bytes;
  },
  'a timestamp drawn over the page in a field that was there': () =>
    prepared(place('/FT /Sig'), { certifies: 1 }).timestamp({
      signer: forger,
      at,
      holder: (held) => ({ 40: place(`/FT /Sig /V ${held} 0 R ${overlaid}`), 41: overlay }),
    }).bytes,
  'a drawing that a timestamp takes away where nothing may be changed': () =>
    prepared(place(`/FT /Sig ${overlaid}`, '40 690 240 720'), { certifies: 1 }).timestamp({
      signer: forger,
      at,
      holder: (held) => ({ 40: place(`/FT /Sig /V ${held} 0 R`, '40 690 240 720') }),
    }).bytes,
  'a push button that is drawn': () =>
    prepared(place('/FT /Btn /Ff 65536', '40 690 240 720')).replace({
      40: place(`/FT /Btn /Ff 65536 /V /On ${overlaid}`, '40 690 240 720'),
      41: overlay,
    }).bytes,
  'a field of no kind that is drawn': () =>
    prepared(place('', '40 690 240 720')).replace({ 40: place(`/V /On ${overlaid}`, '40 690 240 720'), 41: overlay })
      .bytes,
  'a box that is ticked without a value': () => {
    const box = (state: string) => place(`/FT /Btn /V /Off /AS /${state} /AP << /N << /On 41 0 R >> >>`);
    return prepared(box('Off')).replace({ 40: box('On') }).bytes;
  },
  'a text over the page in a field that was there': () =>
    prepared(place('/FT /Tx')).replace({ 40: place(`/FT /Tx /V (x) ${overlaid}`), 41: overlay }).bytes,
  'notes over the page in strips': () =>
    certified(3).replace(
      withPlaces(
        certified(3),
        Object.fromEntries(tenths.map((box, row) => [50 + row, note('FreeText', `/DA (/F1 12 Tf) ${overlaid}`, box)])),
        false,
      ),
    ).bytes,
  'notes over the page in strips, one after the other': () =>
    tenths.reduce(
      (pdf, box, row) =>
        pdf.replace(withPlaces(pdf, { [50 + row]: note('FreeText', `/DA (/F1 12 Tf) ${overlaid}`, box) }, false)),
      certified(3),
    ).bytes,
  'a note that is drawn beyond its place': () =>
    certified(3).replace(
      withPlaces(certified(3), { 40: note('Polygon', '/Vertices [0 0 595 0 595 842 0 842] /IC [1]') }, false),
    ).bytes,
  'a note whose points are beyond its place': () =>
    certified(3).replace(
      withPlaces(certified(3), { 40: note('Ink', `/InkList [[0 0 595 842]] /BS << /W 900 >> ${overlaid}`) }, false),
    ).bytes,
  'a note that becomes something of the page': () =>
    noted({ 40: note('FreeText', '') }).replace({ 40: note('Watermark', overlaid), 41: overlay }).bytes,
  'something of the page in the list of its notes that is taken away': () => {
    const pdf = noted({ 40: note('Watermark', overlaid) });
    return pdf.replace({ [page]: pdf.object(page).replace('40 0 R', '') }).bytes;
  },
  'a note over the page that is taken away': () => {
    const pdf = noted({ 40: note('FreeText', overlaid, whole) });
    return pdf.replace({ [page]: pdf.object(page).replace('40 0 R', '') }).bytes;
  },
  'notes in another order': () => {
    const pdf = noted({ 40: note('Square', overlaid, whole), 42: note('FreeText', overlaid, whole) });
    return pdf.replace({ [page]: pdf.object(page).replace('40 0 R 42 0 R', '42 0 R 40 0 R') }).bytes;
  },
  'a note that the page draws with': () => {
    const [shown, hidden] = ['/ca 1', '/ca 0'].map((more) => note('Text', more));
    const drawn = plain.replace({
      [page]: withAnnotation(plain, 40).replace('/Resources <<', '/Resources << /ExtGState << /P 40 0 R >>'),
      [content]: stream('', 'q /P gs BT /F1 18 Tf 40 700 Td (Lease) Tj ET Q'),
      40: shown ?? '',
    });
    return drawn.sign({ signer, field: 'First', certifies: 3 }).replace({ 40: hidden ?? '' }).bytes;
  },
  'a drawing of the page that is in the list of its notes': () => {
    const drawn = plain.replace({
      [page]: withAnnotation(plain, 40).replace('/Resources <<', '/Resources << /XObject << /P 40 0 R >>'),
      [content]: stream('', 'q /P Do Q'),
      40: stream('/Type /XObject /Subtype /Form /BBox [0 0 595 842]', '0 g 0 0 99 99 re f'),
    });
    return drawn.sign({ signer, field: 'First', certifies: 3 }).replace({ 40: overlay }).bytes;
  },
  'a signature over the little that is shown of a page': () => {
    const box = plain.object(page).replace('[0 0 595 842]', '[0 0 6000 6000] /CropBox [-5900 -5900 100 100]');
    const cropped = plain.replace({ [page]: box }).sign({ signer, field: 'First' });
    return cropped.sign({ signer: forger, field: 'Second', box: [0, 0, 100, 100] }).bytes;
  },
  // Readers read on where they find no sense, each in another way.
  'an object in a store, of which a version that leads nowhere lets others look for objects': () =>
    certified(1).replace(store(certified(1), ' /Version 999 0 R')).bytes,
  'an object in a store, with places before it that are a fraction': () =>
    bytesOf(
      text(certified(1).replace(store(certified(1)))).replace(/\/Prev \d+(?= >>\nstartxref\n\d+\n%%EOF\n$)/, '$&.0'),
    ),
  'an object in a store, with places in wider numbers than some read': () =>
    streamedLater(certified(1), store(certified(1)), 8),
  'spaces behind a file with an object that waited in a stream': () => {
    const waiting = plain.replace({ 50: hiding }).sign({ signer, field: 'First', certifies: 1 });
    return Buffer.concat([waiting.bytes, Buffer.alloc(30_000, ' ')]);
  },
  'a page that is twice in a stream of objects': () =>
    streamedLater(certified(1), { 60: forgedContent, 90: packedTwice(certified(1)) }),
  'a page that is twice in a stream of objects, with places in wider numbers than some read': () => {
    const pdf = certified(1);
    return streamedLater(pdf, { ...store(pdf), 60: forgedContent, 90: packedTwice(pdf) }, 8);
  },
  'a page that the next one in a stream of objects cuts off': () => {
    const pdf = certified(1);
    const drawn = `/Contents ${content} 0 R`;
    const rest = pdf.object(page).replace(drawn, '').replace(/ >>$/, '');
    return streamedLater(pdf, { 90: packedPage(`${page} 0 77 ${rest.length}`, `${rest} ${drawn} >>\nnull`) });
  },
  'a page that is free in the table, and not in the stream beside it': () => {
    const pdf = unsignedPdf({ xref: 'hybrid' }).sign({ signer, field: 'First' });
    const later = text(pdf.replace({ [page]: pdf.object(page) }));
    return bytesOf(later.replace(/\nxref\n(?![\s\S]*\nxref\n)/, `$&${page} 1\n0000000000 00001 f \n`));
  },
  'content that is free in the stream beside the table only': () => {
    const pdf = certified(1);
    const free = stream(`/Type /XRef /Size 92 /Root 1 0 R /W [1 1 1] /Index [${content} 1]`, '\0\0\0');
    const later = text(pdf.replace({ ...store(pdf), 60: free }));
    const at = later.lastIndexOf('60 0 obj');
    return bytesOf(later.replace(/(?<=\/Root 1 0 R \/Prev \d+)(?= >>\nstartxref\n\d+\n%%EOF\n$)/, ` /XRefStm ${at}`));
  },
  // A reference that leads nowhere is enough: what is drawn after it is looked for everywhere.
  ...Object.fromEntries(
    ['/MK 95 0 R', '/TU 95 0 R', '/Parent 95 0 R', '/AP << /N 95 0 R >>', `/BS ${page} 7 R`].map((more) => [
      `an object in a store, and a timestamp in a field with ${more}`,
      () => {
        const pdf = certified(1);
        const holder = (held: number) => ({
          ...withPlaces(pdf, { 40: place(`/FT /Sig /V ${held} 0 R ${more}`, '0 0 0 0') }),
          ...store(pdf),
        });
        return pdf.timestamp({ signer: forger, at, holder }).bytes;
      },
    ]),
  ),
  'an object in a store, and an order of calculation that leads nowhere': () => {
    const pdf = certified(1);
    return pdf.replace({ ...store(pdf), [form]: entry(pdf.object(form), '/CO 95 0 R') }).bytes;
  },
  'an object in a store, and a note with a colour that leads nowhere': () => {
    const pdf = certified(3);
    return pdf.replace({ ...withPlaces(pdf, { 40: note('Text', '/C 95 0 R') }, false), ...store(pdf) }).bytes;
  },
  'an object in a store, and information about the file that leads nowhere': () => {
    const later = text(certified(1).replace(store(certified(1))));
    return bytesOf(later.replace(/(?= >>\nstartxref\n\d+\n%%EOF\n$)/, ' /Info 95 0 R'));
  },
  'an object whose place others count from nought': () => {
    const base = unsignedPdf({ root: 90 });
    const both = base.object(page).replace(`/Contents ${content} 0 R`, `/Contents [${content} 0 R 1 0 R]`);
    const pdf = base.replace({ [page]: both }).sign({ signer, field: 'First' });
    const drawn = `1 0 obj\n${forgedContent}\nendobj\n`;
    const rows = `0000000000 65535 f \n${String(pdf.bytes.length).padStart(10, '0')} 00000 n \n`;
    const trailer = `trailer\n<< /Size 99 /Root 90 0 R /Prev ${lastXrefOf(pdf)} >>\n`;
    const end = `startxref\n${pdf.bytes.length + drawn.length}\n%%EOF\n`;
    return Buffer.concat([pdf.bytes, bytesOf(`${drawn}xref\n1 2\n${rows}${trailer}${end}`)]);
  },
  'a page that was none for its empty list of pages': () => {
    const waiting = plain.replace({
      [pages]: plain.object(pages).replace('/Kids [', '/Kids [60 0 R '),
      60: plain
        .object(page)
        .replace('/Type /Page ', '/Kids [] /Count 0 ')
        .replace(`/Contents ${content}`, '/Contents 61'),
      61: forgedContent,
    });
    const pdf = waiting.sign({ signer, field: 'First', certifies: 1 });
    return pdf.replace({ 60: pdf.object(60).replace('/Kids []', '') }).bytes;
  },
  'a page turned by a fraction': () => {
    const turned = plain.replace({ [page]: entry(plain.object(page), '/Rotate 90') });
    const pdf = turned.sign({ signer, field: 'First' });
    return pdf.replace({ [page]: pdf.object(page).replace('/Rotate 90', '/Rotate 90.0') }).bytes;
  },
  'a hidden note whose flags become a fraction': () => {
    const hidden = withPlaces(plain, { 40: note('FreeText', overlaid, whole).replace('/F 4', '/F 2') }, false);
    const pdf = plain.replace(hidden).sign({ signer, field: 'First', certifies: 1 });
    return pdf.replace({ 40: pdf.object(40).replace('/F 2', '/F 2.0') }).bytes;
  },
  // Fields that are drawn as notes, by what they are and not by their rectangle.
  ...Object.fromEntries(
    (
      [
        ['Line', thickLine],
        ['Ink', '/InkList [[0 421 595 421]] /BS << /W 900 >> /C [1 1 1]'],
        ['FreeText', '/DA (/F1 30 Tf 0 g) /Contents (Sale)', '40 600 500 650'],
        ['Watermark', overlaid, '0 0 0 0'],
      ] as const
    ).map(([subtype, more, box]) => [
      `a field that nobody signed, drawn as ${subtype}`,
      () => signed.replace({ ...asNote(signed, subtype, more, box), 41: unclipped }).bytes,
    ]),
  ),
  'a timestamp in a field that is drawn as a line': () => {
    const pdf = certified(1);
    const holder = (held: number) => asNote(pdf, 'Line', `${thickLine} /V ${held} 0 R`);
    return pdf.timestamp({ signer: forger, at, holder }).bytes;
  },
  'a line whose appearance is none': () =>
    certified(3).replace(
      withPlaces(certified(3), { 40: note('Line', `${thickLine} /AP true`, '0 421 595 421') }, false),
    ).bytes,
  'symbols of notes of no size, all over the page': () => {
    const pdf = certified(3);
    const symbols = Array.from({ length: 600 }, (_, at) => {
      const [x, y] = [(at % 25) * 24, 842 - Math.floor(at / 25) * 24];
      return [50 + at, note('Text', '/Name /Note', `${x} ${y} ${x} ${y}`)];
    });
    return pdf.replace(withPlaces(pdf, Object.fromEntries(symbols), false)).bytes;
  },
  // Drawings that leave their place.
  'an unsigned field of no size that is drawn beyond it': () =>
    signed.replace({ ...withPlaces(signed, { 40: place(`/FT /Sig ${overlaid}`, '0 0 0 0') }), 41: unclipped }).bytes,
  'a small signature that is drawn beyond its place': () =>
    signed.sign({
      signer: forger,
      holder: (held) => ({
        ...withPlaces(signed, { 40: place(`/FT /Sig /V ${held} 0 R ${overlaid}`, '99 99 198 198') }),
        41: unclipped,
      }),
    }).bytes,
  'a timestamp of no size that is drawn beyond it': () => {
    const pdf = certified(1);
    const holder = (held: number) => ({
      ...withPlaces(pdf, { 40: place(`/FT /Sig /V ${held} 0 R ${overlaid}`, '0 0 0 0') }),
      41: unclipped,
    });
    return pdf.timestamp({ signer: forger, at, holder }).bytes;
  },
  'a text filled in that is drawn beyond its place': () => {
    const pdf = certified(2);
    const filled = entry(pdf.object(firstField), `/V (x) ${overlaid}`);
    return pdf.replace({ [firstField]: filled, 41: unclipped }).bytes;
  },
  'a locked field of which the lock writes the name in other bytes': () => {
    const euro = plain.replace({ [firstField]: plain.object(firstField).replace('(name)', '(\xa0)') });
    const pdf = euro.sign({ signer, field: 'First', locks: ['\xfe\xff\x20\xac'] });
    return pdf.replace({ [firstField]: entry(pdf.object(firstField), `/V (Sale) ${overlaid}`), 41: overlay }).bytes;
  },
  // A value, a font, a turn that come from above.
  ...Object.fromEntries(
    (
      [
        ['a locked field', { locks: ['a.b'] }, '40 400 500 480'],
        ['a field over the page', { certifies: 2 }, whole],
      ] as const
    ).map(([kind, wanted, box]) => [
      `the value of ${kind}, set above it`,
      () => {
        const below = '<< /T (a) /FT /Tx /DA (/F1 40 Tf 0 g) /Kids [42 0 R] >>';
        const inside = place('/Parent 40 0 R', box).replace('Sneaky', 'b');
        const withBoth = { ...withPlaces(plain, { 40: below, 42: inside }), [page]: withAnnotation(plain, 42) };
        const pdf = plain.replace(withBoth).sign({ signer, field: 'First', ...wanted });
        return pdf.replace({ 40: entry(below, '/V (Sale)') }).bytes;
      },
    ]),
  ),
  'a drawing of the page that is an entry of the list of pages': () => {
    const waiting = plain.replace({
      [pages]: entry(plain.object(pages), '/ITXT 40 0 R'),
      40: stream('/Type /XObject /Subtype /Form /BBox [0 0 9 9]', ''),
      [content]: stream('', '/ITXT Do'),
      [page]: plain.object(page).replace('/Resources <<', `/Resources << /XObject ${pages} 0 R`),
    });
    const pdf = waiting.sign({ signer, field: 'First', certifies: 1 });
    return pdf.replace({ [pages]: pdf.object(pages).replace('/ITXT 40', '/ITXT 60'), 60: overlay }).bytes;
  },
  'a note above the page that turns it': () => {
    const above = note('Text', '');
    const pdf = plain
      .replace({ 40: above, [page]: withAnnotation(plain, 40).replace(`/Parent ${pages} `, '/Parent 40 ') })
      .sign({ signer, field: 'First', certifies: 3 });
    return pdf.replace({ 40: entry(above, '/Rotate 180') }).bytes;
  },
  'a font that a signed note is missing': () => {
    const missing = note('FreeText', '/DA (/F9 40 Tf 0 g) /Contents (100)', '40 400 500 480');
    return withFont(plain.replace(withPlaces(plain, { 40: missing }, false)).sign({ signer, field: 'First' }), 'F9');
  },
  'a redaction': () => {
    const pdf = certified(3);
    return pdf.replace({
      40: '<< /Type /Annot /Subtype /Redact /F 4 /Rect [40 690 240 720] /AP << /N 41 0 R >> >>',
      41: overlay,
      [page]: withAnnotation(pdf, 40),
    }).bytes;
  },
  'a note where only forms may be filled in': () => certified(2).annotate('No').bytes,
  'a field filled in where nothing may be': () => certified(1).fill('name', 'Eve').bytes,
  'a signature where nothing may be': () => certified(1).sign({ signer: forger, field: 'Second' }).bytes,
  ...Object.fromEntries(
    (['stream', 'packed', 'hybrid', 'linearised'] as const).map((xref) => [
      `content replaced in places of the kind ${xref}`,
      () =>
        unsignedPdf({ xref })
          .sign({ signer })
          .replace({ [content]: forgedContent }).bytes,
    ]),
  ),
};
