import { Unreadable } from '../doubt.ts';
import { type FormNode, readFields } from '../signature-fields/form-fields.ts';
import type { PdfDocument, View } from '../structure/pdf-document.ts';
import {
  emptyDictionary,
  isKind,
  type PdfDictionary,
  type PdfReference,
  type PdfValue,
} from '../structure/pdf-values.ts';
import { annotating, type Finding, other, type Step, signing, validation } from './finding.ts';
import { compareForms } from './form.ts';
import { comparePages, type PageNode, readPages } from './pages.ts';
import { checkBytes } from './revision-bytes.ts';
import { keysOf, type SameValue, sameIn } from './same-value.ts';

/** What later revisions may change in the catalog without another rule. */
const validationKeys = new Map([
  ['DSS', 'Data for the validation of signatures were added.'],
  ['Extensions', 'Extensions of the format were named.'],
  ['Metadata', 'The metadata of the file were changed.'],
  ['Version', 'The version of the format was named.'],
]);
/** What another rule compares. */
const ruledKeys = new Set(['Pages', 'AcroForm', 'Perms']);
/** Of the trailer: about the revision, not about the document. */
const trailerKeys = new Set([
  'Size',
  'Prev',
  'XRefStm',
  'ID',
  'Type',
  'W',
  'Index',
  'Filter',
  'DecodeParms',
  'Length',
  'Root',
  'Info',
]);
const infoKeys = new Set(['ModDate', 'CreationDate', 'Producer']);

/** All that a revision does to the one before it, found from the trailer on through everything that can be reached in either. */
export function compareRevisions(document: PdfDocument, index: number): Step {
  const views = [document.view(index - 1), document.view(index)] as const;
  const pages = views.map(readPages);
  const fields = views.map(readFields);
  const nodes = fields.map((all) => new Set(all.flatMap((field) => numbersOf([field, ...field.widgets]))));
  const root = views[0].trailer.entries.get('Root');
  const governed = {
    pages: new Set(pages[0]?.map(({ reference }) => reference.number)),
    annotations: new Set([...(nodes[0] ?? []), ...(pages[0] ?? []).flatMap(annotationsOf)]),
    catalog: isKind(root, 'reference') ? root.number : -1,
  };
  const same = sameIn(document.bytes, ...views, governed);
  const [before = [], after = []] = pages;
  const [fieldsBefore = [], fieldsAfter = []] = fields;
  const [numbersBefore = new Set(), numbersAfter = new Set()] = nodes;
  const compared = { before, after, views, same, fieldsBefore: numbersBefore, fieldsAfter: numbersAfter };
  const areaOfPage = (page: number | null) => after.find((node) => node.page === (page ?? 1))?.area ?? 1;
  const form = { before: fieldsBefore, after: fieldsAfter, views, same, pageOf: pageFinder(after), areaOfPage };
  return compareAll([
    () => checkBytes(document, index),
    () => compareTrailers(views, same),
    () => compareCatalogs(views, same),
    ...comparePages(compared),
    () => compareForms(form),
  ]);
}

/** What can be read is judged, whatever else cannot. */
function compareAll(parts: readonly (() => Finding[])[]): Step {
  const findings: Finding[] = [];
  let unknown: string | null = null;
  for (const compare of parts)
    try {
      findings.push(...compare());
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      unknown ??= error.message;
    }
  if (findings.length === 0) findings.push(validation('A revision was added that changes nothing.'));
  return { findings, unknown };
}

function compareTrailers([before, after]: readonly [View, View], same: SameValue): Finding[] {
  const [was, is] = [before.trailer.entries, after.trailer.entries];
  const [rootBefore, rootAfter] = [was.get('Root'), is.get('Root')];
  const isOtherRoot =
    !isKind(rootBefore, 'reference') ||
    !isKind(rootAfter, 'reference') ||
    rootBefore.number !== rootAfter.number ||
    rootBefore.generation !== rootAfter.generation;
  const isOther = keysOf(before.trailer, after.trailer).some(
    (key) => !trailerKeys.has(key) && !same(was.get(key), is.get(key), key),
  );
  return [
    ...(isOtherRoot || isOther ? [other('begins-elsewhere')] : []),
    ...compareEntries(before.dictionary(was.get('Info')), after.dictionary(is.get('Info')), (key, one, two) => {
      if (same(one, two, key)) return null;
      return infoKeys.has(key)
        ? validation('Dates of the document information were changed.')
        : other('information-changed');
    }),
  ];
}

function compareCatalogs([before, after]: readonly [View, View], same: SameValue): Finding[] {
  const perms = ([before, after] as const).map((view) => view.dictionary(view.root.entries.get('Perms')));
  return [
    ...compareEntries(before.root, after.root, (key, one, two) => {
      if (ruledKeys.has(key) || same(one, two, key)) return null;
      const allowed = validationKeys.get(key);
      if (key === 'Names' && isOnlyKey('AP', before.dictionary(one), after.dictionary(two), same))
        return annotating('appearances-added', null);
      return allowed ? validation(allowed) : other('structure-changed');
    }),
    ...compareEntries(perms[0] ?? null, perms[1] ?? null, (key, one, two) => {
      if (same(one, two, key)) return null;
      return key === 'DocMDP' && one === undefined ? signing('certified') : other('permissions-changed');
    }),
  ];
}

function isOnlyKey(only: string, was: PdfDictionary | null, is: PdfDictionary | null, same: SameValue): boolean {
  const [before, after] = [was ?? emptyDictionary, is ?? emptyDictionary];
  return keysOf(before, after).every(
    (key) => key === only || same(before.entries.get(key), after.entries.get(key), key),
  );
}

type Rule = (key: string, before: PdfValue | undefined, after: PdfValue | undefined) => Finding | null;

function compareEntries(before: PdfDictionary | null, after: PdfDictionary | null, rule: Rule): Finding[] {
  const [was, is] = [before ?? emptyDictionary, after ?? emptyDictionary];
  return keysOf(was, is).flatMap((key) => rule(key, was.entries.get(key), is.entries.get(key)) ?? []);
}

function numbersOf(nodes: readonly { readonly reference: PdfReference | null }[]): number[] {
  return nodes.flatMap(({ reference }) => reference?.number ?? []);
}

function annotationsOf({ annotations }: PageNode): number[] {
  return annotations.flatMap((one) => (isKind(one, 'reference') ? one.number : []));
}

/** By the annotations of the pages: what a widget says about its page is not trusted. */
function pageFinder(pages: readonly PageNode[]): (node: FormNode & { widgets?: readonly FormNode[] }) => number | null {
  const found = new Map(pages.flatMap((node) => annotationsOf(node).map((number) => [number, node.page] as const)));
  return ({ reference, widgets = [] }) =>
    numbersOf([{ reference }, ...widgets])
      .map((number) => found.get(number))
      .find((page) => page) ?? null;
}
