import { type FormField, isSigned } from '../signature-fields/acroform.ts';
import type { View } from '../structure/pdf-document.ts';
import { emptyDictionary, isKind, nameOf, type PdfDictionary, type PdfValue } from '../structure/pdf-values.ts';
import { type Finding, filling, other, signing, validation } from './finding.ts';
import { keysOf } from './same-value.ts';
import { type Compared, compareEntries, type Side } from './sides.ts';

/** What signing a field that was there may change of it, and filling in one. */
const signedKeys = new Set(['V', 'AP', 'AS', 'M', 'F', 'MK', 'DA', 'P', 'DR', 'Q']);
const filledKeys = new Set(['V', 'AP', 'AS', 'I', 'RV', 'M', 'TI']);
const filledTypes = new Set(['Tx', 'Ch', 'Btn']);
/** Of a button that holds no value. */
const pushFlag = 1 << 16;
/** What a new field for a signature may not have. */
const activeKeys = ['A', 'AA'];

export function compareForms(compared: Compared): Finding[] {
  const { before, after } = compared;
  const known = new Map(after.fields.map((field) => [keyOf(field), field]));
  const old = new Set(before.fields.map(keyOf));
  const changes = before.fields.flatMap((field) => {
    const now = known.get(keyOf(field));
    return now ? compareField(compared, field, now) : [other('field-removed')];
  });
  const added = after.fields.filter((field) => !old.has(keyOf(field)));
  return [...changes, ...added.flatMap((field) => addedField(after, field)), ...compareFormEntries(compared)];
}

const keyOf = ({ reference, name }: FormField) => (reference ? reference.number : name);

function compareField(compared: Compared, was: FormField, is: FormField): Finding[] {
  const { before, after } = compared;
  if (was.name !== is.name || was.type !== is.type || was.hasFields !== is.hasFields) return [other('field-replaced')];
  const widgets = compareWidgets(compared, was, is);
  if (widgets === null) return [other('place-changed')];
  const changed = [...changedKeys(compared, was.dictionary, is.dictionary), ...widgets];
  if (changed.length === 0) return [];
  if (was.type !== 'Sig') return [fieldFilled(compared, changed, was)];
  if (isSigned(was, before.view)) return [other('signature-changed')];
  if (!isSigned(is, after.view) || !changed.every((key) => signedKeys.has(key)))
    return [other('signature-field-changed')];
  return [isTimestamp(is, after.view) ? validation(null, null, was.name) : signing('signed', null, was.name)];
}

/** A field that looks another way without another value shows what nobody filled in; of no kind that is filled in, it has none. */
function fieldFilled({ before: { view } }: Compared, changed: readonly string[], field: FormField): Finding {
  const flags = view.resolve(field.flags);
  const isPush = field.type === 'Btn' && !(flags === null || (typeof flags === 'number' && (flags & pushFlag) === 0));
  // What is above other fields has no value of its own: its name is none that a signature locks.
  const isFillable = filledTypes.has(field.type ?? '') && !isPush && !field.hasFields;
  if (!isFillable || !changed.every((key) => filledKeys.has(key))) return other('field-changed');
  const isDisguised = !changed.includes('V') && (changed.includes('AP') || changed.includes('AS'));
  return isDisguised ? other('field-disguised') : filling('field-filled', null, field.name);
}

function changedKeys({ same }: Compared, was: PdfDictionary, is: PdfDictionary): string[] {
  return keysOf(was, is).filter((key) => key !== 'Kids' && !same(was.entries.get(key), is.entries.get(key), key));
}

/** Keys that changed in a place of the field; null where there are other places. */
function compareWidgets(compared: Compared, was: FormField, is: FormField): string[] | null {
  if (was.widgets.length !== is.widgets.length) return null;
  const changed = was.widgets.map((widget, index) => {
    const now = is.widgets[index];
    if (!now || widget.reference?.number !== now.reference?.number) return null;
    return changedKeys(compared, widget.dictionary, now.dictionary);
  });
  return changed.includes(null) ? null : changed.flatMap((keys) => keys ?? []);
}

function addedField({ view }: Side, field: FormField): Finding[] {
  if (field.hasFields && field.type === null && field.widgets.length === 0) return [];
  const isActive = [field, ...field.widgets].some(({ dictionary }) =>
    activeKeys.some((key) => dictionary.entries.has(key)),
  );
  if (field.type !== 'Sig' || field.hasFields || isActive) return [other('field-added')];
  if (isTimestamp(field, view)) return [validation(null)];
  return [signing(isSigned(field, view) ? 'signature-added' : 'signature-field-added')];
}

function isTimestamp(field: FormField, view: View): boolean {
  const value = view.dictionary(field.value);
  return nameOf(view.resolve(value?.entries.get('SubFilter'))) === 'ETSI.RFC3161';
}

/** A viewer may draw fields anew at any time: what it does that with may change only where there is nothing to draw. */
function compareFormEntries(compared: Compared): Finding[] {
  const { before, after, same } = compared;
  const formOf = ({ view }: Side) => view.dictionary(view.root.entries.get('AcroForm'));
  const form = formOf(before);
  const drawn = before.fields.filter(({ type, widgets }) => type !== 'Sig' && widgets.length > 0);
  return compareEntries(form, formOf(after), (key, one, two) => {
    if (key === 'Fields' || same(one, two, key)) return null;
    const isFree = key === 'DR' ? areDrawn(before.view, form, drawn) && !hasBareText(before) : drawn.length === 0;
    const isExtension = key === 'DR' ? isExtended(compared, one, two) : key === 'DA' && one === undefined;
    if (key === 'SigFlags' || (isFree && isExtension)) return validation(null);
    return other(key === 'NeedAppearances' ? 'form-redrawn' : 'form-changed');
  });
}

/** Whether there is a note that viewers write anew, with what they find in the form. */
function hasBareText({ view, pages }: Side): boolean {
  const notes = pages.flatMap(({ annotations }) => annotations.map(view.dictionary));
  return notes.some(
    (one) => nameOf(view.resolve(one?.entries.get('Subtype'))) === 'FreeText' && !one?.entries.has('AP'),
  );
}

/** Whether each text says what it is drawn with, and that is there: for what is missing, viewers take what they find. */
function areDrawn(view: View, form: PdfDictionary | null, drawn: readonly FormField[]): boolean {
  const kinds = view.dictionary(form?.entries.get('DR'))?.entries.values() ?? [];
  const known = new Set([...kinds].flatMap((kind) => [...(view.dictionary(kind)?.entries.keys() ?? [])]));
  return drawn.every(({ appearance, widgets }) =>
    widgets.every(({ dictionary }) => {
      const look = view.resolve(dictionary.entries.get('DA') ?? appearance);
      const text = isKind(look, 'string') ? Buffer.from(look.bytes).toString('latin1') : '/';
      return (text.match(/(?<=\/)[^\s/()<>[\]{}%]*/g) ?? []).every((name) => known.has(name));
    }),
  );
}

/** All fonts and other means that were there are there; pictures in it are of no use to fields. */
function isExtended({ before, after, same }: Compared, one: PdfValue | undefined, two: PdfValue | undefined): boolean {
  const now = after.view.dictionary(two) ?? emptyDictionary;
  return [...(before.view.dictionary(one)?.entries ?? [])].every(([key, value]) => {
    if (key === 'XObject' || same(value, now.entries.get(key), 'DR')) return true;
    const [was, is] = [before.view.dictionary(value), after.view.dictionary(now.entries.get(key))];
    return was && is && [...was.entries].every(([name, old]) => same(old, is.entries.get(name), 'DR'));
  });
}
