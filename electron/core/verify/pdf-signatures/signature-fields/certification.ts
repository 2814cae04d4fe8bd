import type { View } from '../structure/pdf-document.ts';
import { nameOf, type PdfDictionary, textOf } from '../structure/pdf-values.ts';

/** What a signature forbids later revisions, from its references, else from the lock of its field: the strictest of several. `level`: null where it certifies nothing. */
export function readCertification(view: View, signature: PdfDictionary, field: PdfDictionary) {
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
