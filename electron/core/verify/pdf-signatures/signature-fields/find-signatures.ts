import type { FileReason } from '../../../../../locales/en/shared/file-reasons.ts';
import type { SignatureProof } from '../cms/prove-signature.ts';
import { behindSpace } from '../structure/lexer.ts';
import type { PdfDocument, View } from '../structure/pdf-document.ts';
import {
  emptyDictionary,
  isKind,
  isWhole,
  nameOf,
  type PdfDictionary,
  type PdfString,
  textOf,
} from '../structure/pdf-values.ts';
import { hasRest } from '../structure/revisions.ts';
import { type FormField, isSigned, readFields } from './acroform.ts';

export type FoundSignature = ReturnType<typeof readSignature>;

export interface ProvenSignature extends FoundSignature {
  readonly proof: SignatureProof;
}

/** Of a name that a signature states; more is cut. */
const maxName = 256;

/** Every field of the newest revision that holds something as its signature, whether it can be read or not. */
export function findSignatures(document: PdfDocument): FoundSignature[] {
  const view = document.view(document.revisions.length - 1);
  return readFields(view)
    .filter((field) => isSigned(field, view))
    .map((field) => readSignature(document, view, field));
}

function readSignature(document: PdfDocument, view: View, field: FormField) {
  const dictionary: PdfDictionary = view.dictionary(field.value) ?? emptyDictionary;
  const holder = isKind(field.value, 'reference') ? field.value : field.reference;
  const coverage = readCoverage(document, dictionary);
  const signed = coverage.revision === null ? null : signedField(document.view(coverage.revision), field, dictionary);
  const own: Coverage =
    coverage.revision === null || signed
      ? coverage
      : { ...coverage, covers: 'unclear', revision: null, reason: 'other-field' };
  const subFilter = nameOf(view.resolve(dictionary.entries.get('SubFilter')));
  return {
    ...own,
    field: field.name,
    subFilter,
    isTimestamp: subFilter === 'ETSI.RFC3161',
    // As it was when it was signed.
    certification: readCertification(signed?.view ?? view, dictionary, signed?.field.dictionary ?? field.dictionary),
    /** Of the dictionary, as is the name that it states. */
    claimedTime: readPdfDate(textOf(view.resolve(dictionary.entries.get('M')))),
    statedName:
      textOf(view.resolve(dictionary.entries.get('Name')))
        ?.replace(/\s+/g, ' ')
        .trim()
        .slice(0, maxName) || null,
    /** Where the object with its dictionary begins; null where it is none of its own. */
    at: (holder && view.locate(holder)?.start) ?? null,
  };
}

/** The same field in the revision that the signature covers, if it holds the same signature there. */
function signedField(view: View, { name }: FormField, dictionary: PdfDictionary) {
  const isSame = (field: FormField) => {
    const [was, is] = [view.dictionary(field.value)?.entries.get('Contents'), dictionary.entries.get('Contents')];
    return field.name === name && isKind(was, 'string') && isKind(is, 'string') && was.start === is.start;
  };
  const field = readFields(view).find(isSame);
  return field ? { view, field } : null;
}

/** A date of a PDF (ISO 32000-2, 7.9.4) in UTC to the second; null where it is none, or where its zone is not said. */
function readPdfDate(text: string | null): string | null {
  const match = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-])(\d\d)'?(\d\d)?'?)?/.exec(text ?? '');
  if (!match) return null;
  const [year, month, day, hour, minute, second, sign, hours, minutes] = match
    .slice(1)
    .map((part, at) => part ?? (at === 1 || at === 2 ? '01' : '00'));
  const moment = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const zone = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return Number.isNaN(moment) ? null : `${new Date(moment - zone).toISOString().slice(0, 19)}Z`;
}

/** What a signature forbids later revisions, from its references, else from the lock of its field: the strictest of several. `level`: null where it certifies nothing. */
function readCertification(view: View, signature: PdfDictionary, field: PdfDictionary) {
  const references = view.items(signature.entries.get('Reference')).map((one) => view.dictionary(one));
  const parametersOf = (method: string) =>
    references
      .filter((one) => nameOf(view.resolve(one?.entries.get('TransformMethod'))) === method)
      .map((one) => view.dictionary(one?.entries.get('TransformParams')));
  const lock = view.dictionary(field.entries.get('Lock'));
  const levels = parametersOf('DocMDP').map((one) => levelOf(view, one) ?? 2);
  const level = levels.sort()[0] ?? levelOf(view, lock);
  const locks = [...parametersOf('FieldMDP'), lock].flatMap((one) => lockOf(view, one) ?? []);
  return { level, locks: (name: string) => locks.some((isLocked) => isLocked(name)) };
}

function levelOf(view: View, parameters: PdfDictionary | null | undefined): 1 | 2 | 3 | null {
  const level = view.resolve(parameters?.entries.get('P'));
  return level === 1 || level === 2 || level === 3 ? level : null;
}

function lockOf(view: View, parameters: PdfDictionary | null): ((field: string) => boolean) | null {
  if (!parameters) return null;
  const action = nameOf(view.resolve(parameters.entries.get('Action')));
  const fields = view.items(parameters.entries.get('Fields')).map((one) => textOf(view.resolve(one)) ?? '');
  const isNamed = (name: string) => fields.some((field) => name === field || name.startsWith(`${field}.`));
  if (action === 'Include') return isNamed;
  // What says something else than this locks all.
  return action === 'Exclude' ? (name) => !isNamed(name) : () => true;
}

export interface Coverage {
  readonly covers: 'whole' | 'revision' | 'unclear' | null;
  /** Of the revision whose end it covers; null where that is unclear. */
  readonly revision: number | null;
  /** All but what is between `gap` and `rest`. */
  readonly range: { readonly gap: number; readonly rest: number; readonly end: number } | null;
  readonly contents: PdfString | null;
  readonly reason: FileReason | null;
}

/** What the byte range of a signature dictionary covers, which must be all but its own contents. */
function readCoverage(document: PdfDocument, dictionary: PdfDictionary): Coverage {
  const contents = dictionary.entries.get('Contents');
  const found = isKind(contents, 'string') && contents.isHex ? contents : null;
  const unclear = (reason: FileReason, range: Coverage['range'] = null): Coverage => ({
    covers: 'unclear',
    revision: null,
    range,
    contents: found,
    reason,
  });
  if (!found || found.bytes.every((byte) => byte === 0)) return { ...unclear('empty-signature'), covers: null };
  const numbers = dictionary.entries.get('ByteRange');
  const [first, gap, rest, length, more] = isKind(numbers, 'array') ? numbers.items : [];
  if (!isWhole(first) || !isWhole(gap) || !isWhole(rest) || !isWhole(length) || more !== undefined)
    return unclear('no-range');
  const end = rest + length;
  if (first !== 0 || gap >= rest || end > document.bytes.length) return unclear('impossible-range');
  const range = { gap, rest, end };
  if (found.start !== gap || found.end !== rest) return unclear('gap', range);
  const { revisions, bytes } = document;
  const index = revisions.findIndex((one) => one.start <= gap && rest <= one.end);
  const revision = revisions[index];
  const isLast = index === revisions.length - 1;
  // Also what its signer wrote behind the end.
  const isAll = isLast && (end === bytes.length || !hasRest(bytes, revisions));
  if (!revision || end < revision.end || (behindSpace(bytes, revision.end) < end && !isAll))
    return unclear('open-range', range);
  const covers = isAll ? 'whole' : 'revision';
  return { covers, revision: index, range, contents: found, reason: null };
}
