import type { SignatureProof } from '../cms/prove-signature.ts';
import type { PdfDocument, View } from '../structure/pdf-document.ts';
import { emptyDictionary, isKind, nameOf, type PdfDictionary, textOf } from '../structure/pdf-values.ts';
import { readCertification } from './certification.ts';
import { type Coverage, readCoverage } from './coverage.ts';
import { type FormField, isSigned, readFields } from './form-fields.ts';
import { readPdfDate } from './pdf-date.ts';

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
