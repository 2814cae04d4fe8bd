import { type CmsWanted, dataOid, hashOf, signCms, timestampToken } from './cms.ts';
import { append, emptyPdf, linearisedPdf, type Revised, stream, type XrefForm } from './pdf-revisions.ts';
import type { Signer } from './signers.ts';

/** A PDF of one page that is signed, timestamped, filled in and changed, each as a revision of its own behind the others. */
export interface SignedPdf {
  /** As it is after the latest revision. */
  readonly bytes: Buffer;
  /** Where each revision ends. */
  readonly ends: readonly number[];
  sign(wanted: SignWanted): SignedPdf;
  /** A document timestamp. */
  timestamp(wanted: { readonly signer: Signer; readonly at: Date; readonly field?: string } & Held): SignedPdf;
  /** The document security store, with these certificates, lists of revoked ones and answers about them (DER). */
  addValidationData(certificates: readonly Buffer[], lists?: readonly Buffer[], answers?: readonly Buffer[]): SignedPdf;
  /** Fills in the text field of this name. */
  fill(field: string, value: string): SignedPdf;
  /** Adds a note to the page, which is no field. */
  annotate(text: string): SignedPdf;
  /** Adds or replaces objects by their numbers, in one revision: what a forger does. */
  replace(objects: Readonly<Record<number, string>>): SignedPdf;
  /** The value of an object as it is now. */
  object(number: number): string;
}

interface Held {
  /** The objects that hold the signature, of which this is the number, in place of a new field and its place on the page. */
  readonly holder?: (value: number) => Readonly<Record<number, string>>;
}

export interface SignWanted
  extends Held,
    Pick<
      CmsWanted,
      | 'signer'
      | 'digest'
      | 'signingCertificate'
      | 'hasAttributes'
      | 'isIndefinite'
      | 'certificates'
      | 'changeAttributes'
    > {
  readonly field?: string;
  /** /Name of the dictionary. */
  readonly statedName?: string;
  readonly subFilter?: 'adbe.pkcs7.detached' | 'adbe.pkcs7.sha1' | 'ETSI.CAdES.detached';
  /** Claimed by the PDF’s dictionary, and by the signature itself unless `claimedBy` says otherwise. */
  readonly signedAt?: Date;
  readonly claimedBy?: 'signature' | 'dictionary';
  /** Who sets a signature timestamp, one second later. */
  readonly timestampedBy?: Signer;
  /** Certifies: 1 no changes, 2 forms, 3 annotations too. */
  readonly certifies?: 1 | 2 | 3;
  /** A second certification, which no standard knows. */
  readonly certifiesToo?: 1 | 2 | 3;
  /** Names of the fields that it locks, or all; or another action, which no standard knows. */
  readonly locks?: readonly string[] | 'all' | 'never';
  /** Where it is shown, with nothing drawn there; else nowhere. */
  readonly box?: readonly [number, number, number, number];
}

/** The numbers of its first objects. */
export const objectNumbers = { catalog: 1, pages: 2, page: 3, content: 4, font: 5, form: 6, firstField: 7 } as const;
const { catalog, page, font, form, firstField } = objectNumbers;

interface State extends Revised {
  /** Text fields by name: their number, and the widget without a value. */
  readonly fields: ReadonlyMap<string, readonly [number: number, widget: string]>;
}

export interface PdfWanted {
  readonly text?: string;
  /** Names of text fields. */
  readonly fields?: readonly string[];
  /** A linearised file goes on with tables. */
  readonly xref?: XrefForm | 'linearised';
  /** The number of the catalog, if not the first; that of the pages is the next. */
  readonly root?: number;
  /** More entries of each trailer. */
  readonly trailer?: string;
}

export function unsignedPdf({
  text = 'Lease',
  fields = [],
  xref = 'table',
  root = catalog,
  trailer,
}: PdfWanted = {}): SignedPdf {
  const widgets = fields.map((name, index) => {
    const box = [40, 600 - 30 * index, 240, 620 - 30 * index].join(' ');
    const widget = `<< /Type /Annot /Subtype /Widget /FT /Tx /T ${literal(name)} /F 4 /Rect [${box}] /P ${page} 0 R >>`;
    return [firstField + index, widget] as const;
  });
  const list = widgets.map(([number]) => `${number} 0 R`).join(' ');
  const fonts = `<< /Font << /F1 ${font} 0 R >> >>`;
  const pageEntries = `/MediaBox [0 0 595 842] /Contents ${objectNumbers.content} 0 R /Resources ${fonts}`;
  const objects = new Map<number, string>([
    [root, `<< /Type /Catalog /Pages ${root + 1} 0 R /AcroForm ${form} 0 R >>`],
    [root + 1, `<< /Type /Pages /Kids [${page} 0 R] /Count 1 >>`],
    [page, `<< /Type /Page /Parent ${root + 1} 0 R ${pageEntries} /Annots [${list}] >>`],
    [objectNumbers.content, stream('', `BT /F1 18 Tf 40 700 Td ${literal(text)} Tj ET`)],
    [font, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
    [form, `<< /Fields [${list}] /DA (/F1 12 Tf 0 g) /DR ${fonts} >>`],
    ...widgets,
  ]);
  const named = new Map(fields.map((name, index) => [name, widgets[index] ?? ([0, ''] as const)] as const));
  const first =
    xref === 'linearised'
      ? linearisedPdf(objects, firstField + fields.length)
      : append({ ...emptyPdf(xref), root, trailer }, objects);
  return pdfOf({ ...first, fields: named });
}

function pdfOf(state: State): SignedPdf {
  const object = (number: number) => state.objects.get(number) ?? 'null';
  const next = Math.max(...state.objects.keys()) + 1;
  const revised = (...changes: (readonly [number, string])[]) =>
    pdfOf({ ...state, ...append(state, new Map(changes)) });
  return {
    bytes: state.bytes,
    ends: state.ends,
    object,
    sign: (wanted) => pdfOf(signed(state, next, wanted)),
    timestamp: ({ signer, at, field = `Timestamp${next}`, holder }) => {
      const dictionary = '/Type /DocTimeStamp /SubFilter /ETSI.RFC3161';
      const changes = withField(state, next, { field, dictionary, holder });
      const token = (about: Buffer) => timestampToken({ signer, about, at, signingCertificate: 'v2' });
      return pdfOf(sealed(state, changes, token));
    },
    addValidationData: (certificates, lists = [], answers = []) => {
      const all = [...certificates, ...lists, ...answers];
      const store = all.map((one, index) => [next + index, stream('', one.toString('latin1'))] as const);
      const entry = (name: string, wanted: readonly Buffer[]) => {
        const list = wanted.map((one) => `${next + all.indexOf(one)} 0 R`).join(' ');
        return wanted.length > 0 ? ` /${name} [${list}]` : '';
      };
      const before = object(catalog).replace(/ \/DSS << .*? >>/, '');
      const entries = `${entry('Certs', certificates)}${entry('CRLs', lists)}${entry('OCSPs', answers)}`;
      return revised([catalog, withEntry(before, `/DSS << /Type /DSS${entries} >>`)], ...store);
    },
    fill: (field, value) => {
      const [number, widget] = state.fields.get(field) ?? [0, ''];
      const box = `/Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /F1 ${font} 0 R >> >>`;
      const appearance = stream(box, `/Tx BMC BT /F1 12 Tf 2 5 Td ${literal(value)} Tj ET EMC`);
      return revised([number, withEntry(widget, `/V ${literal(value)} /AP << /N ${next} 0 R >>`)], [next, appearance]);
    },
    annotate: (text) =>
      revised(
        [next, `<< /Type /Annot /Subtype /Text /Rect [300 700 320 720] /F 4 /Contents ${literal(text)} >>`],
        [page, withItem(object(page), 'Annots', next)],
      ),
    replace: (objects) => revised(...objectsOf(objects)),
  };
}

function signed(state: State, number: number, wanted: SignWanted): State {
  const { subFilter = 'adbe.pkcs7.detached', signedAt, claimedBy, timestampedBy, locks, certifies, field } = wanted;
  const references = [
    ...[certifies, wanted.certifiesToo].flatMap((level) => (level ? [referenceTo('DocMDP', `/P ${level}`)] : [])),
    ...(locks ? [referenceTo('FieldMDP', lockEntries(locks))] : []),
  ];
  const date = signedAt ? ` /M (D:${signedAt.toISOString().replaceAll(/\.\d+|[-:T]/g, '')})` : '';
  const name = wanted.statedName === undefined ? '' : ` /Name ${literal(wanted.statedName)}`;
  const list = references.length > 0 ? ` /Reference [${references.join(' ')}]` : '';
  const changes = withField(state, number, {
    field: field ?? `Signature${number}`,
    dictionary: `/Type /Sig /Filter /Adobe.PPKLite /SubFilter /${subFilter}${date}${name}${list}`,
    box: wanted.box,
    holder: wanted.holder,
    entries: locks ? ` /Lock << /Type /SigFieldLock ${lockEntries(locks)} >>` : '',
  });
  if (certifies) {
    const root = state.objects.get(catalog) ?? '';
    changes.set(catalog, withEntry(root, `/Perms << /DocMDP ${number + 1} 0 R >>`));
  }
  const at = new Date((signedAt?.getTime() ?? 0) + 1_000);
  const cms = (about: Buffer) =>
    signCms({
      ...wanted,
      ...(subFilter === 'adbe.pkcs7.sha1' ? { about: hashOf('sha1', about), carries: dataOid } : { about }),
      signedAt: claimedBy === 'dictionary' ? undefined : signedAt,
      timestamps: (value) => (timestampedBy ? [timestampToken({ signer: timestampedBy, about: value, at })] : []),
    });
  return sealed(state, changes, cms);
}

interface FieldWanted extends Held {
  readonly field: string;
  /** Of the signature dictionary. */
  readonly dictionary: string;
  /** Of the field. */
  readonly entries?: string;
  readonly box?: readonly number[];
}

/** A signature field, with its widget on the page and a dictionary that is signed later. */
function withField(
  state: State,
  number: number,
  { field, dictionary, entries = '', box = [0, 0, 0, 0], holder }: FieldWanted,
): Map<number, string> {
  const value = `<< ${dictionary} /ByteRange ${rangesOf([0, 0, 0, 0])} /Contents <${'0'.repeat(2 * contentsBytes)}> >>`;
  if (holder) return objectsOf({ ...holder(number + 1), [number + 1]: value });
  const widget = `/Type /Annot /Subtype /Widget /FT /Sig /T ${literal(field)} /F 132 /Rect [${box.join(' ')}] /P ${page} 0 R`;
  const fields = withItem(state.objects.get(form) ?? '', 'Fields', number).replace(/ \/SigFlags 3/, '');
  return new Map([
    [number, `<< ${widget} /V ${number + 1} 0 R${entries} >>`],
    [number + 1, value],
    [form, withEntry(fields, '/SigFlags 3')],
    [page, withItem(state.objects.get(page) ?? '', 'Annots', number)],
  ]);
}

function objectsOf(objects: Readonly<Record<number, string>>): Map<number, string> {
  return new Map(Object.entries(objects).map(([number, value]) => [Number(number), value]));
}

/** As much room as programs for signing leave. */
const contentsBytes = 8_192;

/** Writes the revision, then into its gap the signature of all the rest. */
function sealed(state: State, changes: ReadonlyMap<number, string>, sign: (about: Buffer) => Buffer): State {
  const revised = append(state, changes);
  const bytes = Buffer.from(revised.bytes);
  const start = bytes.lastIndexOf('/Contents <0') + '/Contents '.length;
  const end = start + 2 * contentsBytes + 2;
  const ranges = rangesOf([0, start, end, bytes.length - end]);
  bytes.write(ranges, bytes.lastIndexOf('/ByteRange ') + '/ByteRange '.length, 'latin1');
  const contents = sign(Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]));
  if (contents.length > contentsBytes) throw new Error('the signature does not fit into its gap');
  bytes.write(contents.toString('hex'), start + 1, 'latin1');
  return { ...state, ...revised, bytes };
}

/** Always equally long. */
const rangesOf = (numbers: readonly number[]) => `[${numbers.map((one) => String(one).padStart(9)).join(' ')}]`;

const referenceTo = (method: string, parameters: string) =>
  `<< /Type /SigRef /TransformMethod /${method} /TransformParams << /Type /TransformParams ${parameters} /V /1.2 >> >>`;

function lockEntries(fields: NonNullable<SignWanted['locks']>): string {
  if (typeof fields === 'string') return `/Action /${fields === 'all' ? 'All' : 'Never'}`;
  return `/Action /Include /Fields [${fields.map(literal).join(' ')}]`;
}

const withEntry = (dictionary: string, entry: string) => dictionary.replace(/ >>$/, ` ${entry} >>`);

const withItem = (dictionary: string, list: string, number: number) =>
  dictionary.replace(
    new RegExp(`/${list} \\[(.*?)\\]`),
    (_all, items: string) => `/${list} [${`${items} ${number} 0 R`.trim()}]`,
  );

const literal = (text: string) => `(${text.replaceAll(/[\\()]/g, '\\$&')})`;
