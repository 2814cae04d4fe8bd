import { Unreadable } from '../doubt.ts';
import type { View } from '../structure/pdf-document.ts';
import type { PdfDictionary, PdfReference, PdfValue } from '../structure/pdf-values.ts';
import { isKind, nameOf, textOf } from '../structure/pdf-values.ts';

/** A field of the form, or a place on a page where one is shown; often both in one. */
export interface FormNode {
  readonly reference: PdfReference | null;
  readonly dictionary: PdfDictionary;
}

export interface FormField extends FormNode {
  /** Fully qualified. */
  readonly name: string;
  /** Own or inherited. */
  readonly type: string | null;
  readonly value: PdfValue;
  /** What a viewer draws its text with, own or inherited. */
  readonly appearance: PdfValue;
  /** Own or inherited. */
  readonly flags: PdfValue;
  /** Fields below it. */
  readonly hasFields: boolean;
  /** Itself too, whatever is below it, if it says how a place is drawn. */
  readonly widgets: readonly FormNode[];
}

type Inherited = Pick<FormField, 'name' | 'type' | 'value' | 'appearance' | 'flags'>;

const maxFields = 50_000;
const maxDepth = 32;

/** All fields of the form, parents before their children. */
export function readFields(view: View): FormField[] {
  const form = view.dictionary(view.root.entries.get('AcroForm'));
  const found: FormField[] = [];
  const seen = new Set<number>();
  const top = { name: '', type: null, value: null, appearance: form?.entries.get('DA') ?? null, flags: null };

  function read(value: PdfValue): FormNode {
    const reference = isKind(value, 'reference') ? value : null;
    if (reference) {
      if (seen.has(reference.number)) throw new Unreadable('field-repeated');
      seen.add(reference.number);
    }
    const dictionary = view.dictionary(value);
    if (!dictionary) throw new Unreadable('field-unreadable');
    return { reference, dictionary };
  }

  function visit(node: FormNode, above: Inherited, depth: number): void {
    const { entries } = node.dictionary;
    if (depth > maxDepth || found.length > maxFields) throw new Unreadable('too-large');
    const own = textOf(view.resolve(entries.get('T')));
    const inherited: Inherited = {
      name: own === null ? above.name : above.name ? `${above.name}.${own}` : own,
      type: nameOf(view.resolve(entries.get('FT'))) ?? above.type,
      value: entries.get('V') ?? above.value,
      appearance: entries.get('DA') ?? above.appearance,
      flags: entries.get('Ff') ?? above.flags,
    };
    const kids = view
      .items(entries.get('Kids'))
      .filter((kid) => view.resolve(kid) !== null)
      .map(read);
    const fields = kids.filter((kid) => kid.dictionary.entries.has('T'));
    const isPlace = !entries.has('Kids') || ['Subtype', 'Rect', 'AP'].some((key) => entries.has(key));
    const widgets = [...(isPlace ? [node] : []), ...kids.filter((kid) => !kid.dictionary.entries.has('T'))];
    found.push({ ...node, ...inherited, hasFields: fields.length > 0, widgets });
    for (const field of fields) visit(field, inherited, depth + 1);
  }

  for (const value of view.items(form?.entries.get('Fields')))
    if (view.resolve(value) !== null) visit(read(value), top, 0);
  return found;
}

/** A field that holds a signature or document timestamp, or something in its place. */
export function isSigned(field: FormField, view: View): boolean {
  return field.type === 'Sig' && !field.hasFields && view.resolve(field.value) !== null;
}
