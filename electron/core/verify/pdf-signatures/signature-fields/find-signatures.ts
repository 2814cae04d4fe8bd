import type { PdfDocument, View } from '../structure/pdf-document.ts';
import { emptyDictionary, isKind, nameOf, type PdfDictionary, textOf } from '../structure/pdf-values.ts';
import { type Certification, readCertification } from './certification.ts';
import { type Coverage, readCoverage } from './coverage.ts';
import { type FormField, isSigned, readFields } from './form-fields.ts';

export interface FoundSignature extends Coverage {
  readonly field: string;
  readonly subFilter: string | null;
  readonly certification: Certification;
  /** /M of the dictionary, as it is written. */
  readonly claimedTime: string | null;
  /** /Name of the dictionary. */
  readonly statedName: string | null;
  /** Where the object with its dictionary begins; null where it is none of its own. */
  readonly at: number | null;
}

/** Every field of the newest revision that holds something as its signature, whether it can be read or not. */
export function findSignatures(document: PdfDocument): FoundSignature[] {
  const view = document.view(document.revisions.length - 1);
  return readFields(view)
    .filter((field) => isSigned(field, view))
    .map((field) => readSignature(document, view, field));
}

function readSignature(document: PdfDocument, view: View, field: FormField): FoundSignature {
  const dictionary: PdfDictionary = view.dictionary(field.value) ?? emptyDictionary;
  const holder = isKind(field.value, 'reference') ? field.value : field.reference;
  const coverage = readCoverage(document, dictionary);
  const signed = coverage.revision === null ? null : signedField(document.view(coverage.revision), field, dictionary);
  const own: Coverage =
    coverage.revision === null || signed
      ? coverage
      : { ...coverage, covers: 'unclear', revision: null, reason: 'other-field' };
  return {
    ...own,
    field: field.name,
    subFilter: nameOf(view.resolve(dictionary.entries.get('SubFilter'))),
    // As it was when it was signed.
    certification: readCertification(signed?.view ?? view, dictionary, signed?.field.dictionary ?? field.dictionary),
    claimedTime: textOf(view.resolve(dictionary.entries.get('M'))),
    statedName: textOf(view.resolve(dictionary.entries.get('Name'))),
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
