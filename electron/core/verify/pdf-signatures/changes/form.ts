import { type FormField, type FormNode, isSigned } from '../signature-fields/form-fields.ts';
import type { View } from '../structure/pdf-document.ts';
import { emptyDictionary, nameOf, type PdfDictionary } from '../structure/pdf-values.ts';
import { type Finding, filling, other, signing, validation } from './finding.ts';
import { areaOf } from './pages.ts';
import { keysOf, type SameValue } from './same-value.ts';

export interface FormCompared {
  readonly before: readonly FormField[];
  readonly after: readonly FormField[];
  readonly views: readonly [before: View, after: View];
  readonly same: SameValue;
  readonly pageOf: (node: FormNode) => number | null;
  readonly areaOfPage: (page: number | null) => number;
}

/** What signing a field that was there may change of it, and filling in one. */
const signedKeys = new Set(['V', 'AP', 'AS', 'M', 'F', 'MK', 'DA', 'P', 'Type', 'Subtype', 'DR', 'Q']);
const filledKeys = new Set(['V', 'AP', 'AS', 'I', 'RV', 'M', 'TI']);
/** What a new field for a signature may not have. */
/** The part of a page that a signature may be drawn on; more is there to cover what was signed. */
const maxCovered = 0.5;
const activeKeys = ['A', 'AA'];

export function compareForms(compared: FormCompared): Finding[] {
  const { before, after } = compared;
  const known = new Map(after.map((field) => [keyOf(field), field]));
  const old = new Set(before.map(keyOf));
  const changes = before.flatMap((field) => {
    const now = known.get(keyOf(field));
    return now ? compareField(compared, field, now) : [other('field-removed', compared.pageOf(field))];
  });
  const added = after.filter((field) => !old.has(keyOf(field))).map((field) => addedField(compared, field));
  return [...changes, ...added.flat(), ...compareFormEntries(compared)];
}

const keyOf = ({ reference, name }: FormField) => (reference ? reference.number : name);

function compareField(compared: FormCompared, was: FormField, is: FormField): Finding[] {
  const page = compared.pageOf(was);
  const place = { page, field: was.name };
  if (was.name !== is.name || was.type !== is.type || was.hasFields !== is.hasFields)
    return [other('field-replaced', page)];
  const changed = changedKeys(compared, was.dictionary, is.dictionary);
  const widgets =
    was.dictionary.entries.has('Kids') || is.dictionary.entries.has('Kids') ? compareWidgets(compared, was, is) : [];
  if (widgets === null) return [other('place-changed', page)];
  changed.push(...widgets);
  if (changed.length === 0) return [];
  const [view] = compared.views;
  if (was.type !== 'Sig') return fieldFilled(changed, place);
  if (isSigned(was, view)) return [other('signature-changed', page)];
  if (!isSigned(is, compared.views[1]) || !changed.every((key) => signedKeys.has(key)))
    return [other('signature-field-changed', page)];
  return [
    isTimestamp(is, compared.views[1])
      ? { ...validation('A document timestamp was added.'), ...place }
      : signing('signed', place),
  ];
}

/** A field that looks another way without another value shows what nobody filled in. */
function fieldFilled(changed: readonly string[], place: Pick<Finding, 'page' | 'field'>): Finding[] {
  if (!changed.every((key) => filledKeys.has(key))) return [other('field-changed', place.page)];
  if (changed.includes('AP') && !changed.includes('V')) return [other('field-disguised', place.page)];
  return [filling('field-filled', place)];
}

function changedKeys({ same }: FormCompared, was: PdfDictionary, is: PdfDictionary): string[] {
  return keysOf(was, is).filter((key) => key !== 'Kids' && !same(was.entries.get(key), is.entries.get(key), key));
}

/** Keys that changed in a place of the field; null where there are other places. */
function compareWidgets(compared: FormCompared, was: FormField, is: FormField): string[] | null {
  if (was.widgets.length !== is.widgets.length) return null;
  const changed = was.widgets.map((widget, index) => {
    const now = is.widgets[index];
    if (!now || widget.reference?.number !== now.reference?.number) return null;
    return changedKeys(compared, widget.dictionary, now.dictionary);
  });
  return changed.includes(null) ? null : changed.flatMap((keys) => keys ?? []);
}

function addedField({ views: [, view], pageOf, areaOfPage }: FormCompared, field: FormField): Finding[] {
  const page = pageOf(field);
  if (field.hasFields && field.type === null) return [];
  const isActive = [field, ...field.widgets].some(({ dictionary }) =>
    activeKeys.some((key) => dictionary.entries.has(key)),
  );
  if (field.type !== 'Sig' || field.hasFields || isActive) return [other('field-added', page)];
  const widgets = field.widgets.map(({ dictionary }) => dictionary.entries);
  const areas = widgets.map((entries) => areaOf(view, entries.get('Rect')) ?? 0);
  const covered = areas.reduce((sum, area) => sum + area, 0) / areaOfPage(page);
  const isDrawn = widgets.some((entries) => entries.has('AP')) && covered > 0;
  if (covered > maxCovered || (isDrawn && !isSigned(field, view))) return [other('page-covered', page)];
  if (!isSigned(field, view)) return [signing('signature-field-added', { page })];
  return [
    isTimestamp(field, view)
      ? { ...validation('A document timestamp was added.'), page }
      : signing('signature-added', { page }),
  ];
}

function isTimestamp(field: FormField, view: View): boolean {
  const value = view.dictionary(field.value);
  return nameOf(view.resolve(value?.entries.get('SubFilter'))) === 'ETSI.RFC3161';
}

function compareFormEntries({ views: [before, after], same }: FormCompared): Finding[] {
  const was = before.dictionary(before.root.entries.get('AcroForm'));
  const is = after.dictionary(after.root.entries.get('AcroForm')) ?? emptyDictionary;
  return keysOf(was ?? emptyDictionary, is).flatMap((key) => {
    const [one, two] = [was?.entries.get(key), is.entries.get(key)];
    if (key === 'Fields' || same(one, two, key)) return [];
    if (key === 'SigFlags') return [validation('The form says that it is signed.')];
    if (key === 'DA' && one === undefined) return [validation('The form has a text style.')];
    if (
      key === 'DR' &&
      isExtended(same, before.dictionary(one) ?? emptyDictionary, after.dictionary(two) ?? emptyDictionary, [
        before,
        after,
      ])
    )
      return [validation('The form has more fonts.')];
    if (key === 'NeedAppearances') return [filling('form-redrawn')];
    return [other('form-changed')];
  });
}

/** All fonts and other means that were there are there; pictures in it are of no use to fields. */
function isExtended(
  same: SameValue,
  before: PdfDictionary,
  after: PdfDictionary,
  views: readonly [View, View],
): boolean {
  return [...before.entries].every(([key, value]) => {
    const now = after.entries.get(key);
    if (key === 'XObject' || same(value, now, key)) return true;
    const [was, is] = [views[0].dictionary(value), views[1].dictionary(now)];
    return was && is && [...was.entries].every(([name, one]) => same(one, is.entries.get(name), name));
  });
}
