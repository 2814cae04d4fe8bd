import { type Random, randomOf } from '../fuzz/random.ts';
import { stream } from './pdf-revisions.ts';
import { objectNumbers, type SignedPdf, unsignedPdf } from './signed-pdf.ts';
import { makeSigner } from './signers.ts';

/*
 * Well-formed later revisions of a signed file: fields, places and notes that are added, changed, put into another order or brought into view. What is drawn is known here without a
 * reader, on a grid of a hundred cells for each page.
 */

const signer = makeSigner({ key: 'p256', name: 'Ana Ruiz' });
const forger = makeSigner({ key: 'p256', name: 'Ana Ruiz' });
const at = new Date('2026-03-03T10:00:00Z');
const { pages, page, form } = objectNumbers;
const [secondPage, firstLook, firstPlace] = [20, 21, 30];

const fieldKinds = ['Sig', 'Sig', 'Tx', 'Ch', 'Check', 'Push', 'None'] as const;
const noteKinds = ['FreeText', 'Square', 'Polygon', 'Popup', 'Watermark'] as const;
type Kind = (typeof fieldKinds)[number] | (typeof noteKinds)[number];
/** What it is drawn with: nothing, one of two appearances, a background. */
const looks = ['', '', `/AP << /N ${firstLook} 0 R >>`, `/AP << /N ${firstLook + 1} 0 R >>`, '/MK << /BG [1] >>'];
/** Columns and rows of the grid, from below. */
type Box = readonly [left: number, bottom: number, right: number, top: number];
const boxes: readonly (Box | null)[] = [
  ...([null, [0, 0, 0, 0], [1, 8, 2, 9], [0, 0, 3, 3], [7, 0, 10, 3], [4, 4, 7, 7], [0, 5, 5, 9]] as const),
  ...([
    [0, 0, 10, 4],
    [0, 0, 10, 10],
  ] as const),
];
/** Nothing below it, an empty list, an empty signature field, a place of its own. */
const kidKinds = ['none', 'none', 'empty', 'field', 'place'] as const;
const values = ['', '', '/V (a)', '/V (b)'];

interface Place {
  readonly kind: Kind;
  readonly box: Box | null;
  readonly look: string;
  readonly kids: (typeof kidKinds)[number];
  /** Of the place below it. */
  readonly kidBox: Box | null;
  readonly value: string;
  readonly isInForm: boolean;
  /** Where it is listed, and the place below it. */
  readonly pages: readonly number[];
  readonly kidPages: readonly number[];
}

/** By number, in the order in which pages list them; each has the next number too, for what is below it. */
type Scene = ReadonlyMap<number, Place>;

const isField = (kind: Kind) => fieldKinds.some((one) => one === kind);

function makePlace(random: Random): Place {
  const kind = random.chance(3) ? random.one(noteKinds) : random.one(fieldKinds);
  const pagesOf = () => random.one([[], [0], [0], [1], [0, 1]]);
  const any: Place = {
    kind,
    box: random.one(boxes),
    look: random.one(looks),
    kids: isField(kind) ? random.one(kidKinds) : 'none',
    kidBox: random.one(boxes),
    value: kind === 'Sig' ? '' : random.one(values),
    isInForm: isField(kind) && !random.chance(8),
    pages: pagesOf(),
    kidPages: pagesOf(),
  };
  // As programs write most of them.
  const usual = { box: random.one(boxes.slice(2, 6)), kids: 'none', isInForm: isField(kind), pages: [0] } as const;
  return random.chance(2) ? { ...any, ...usual } : any;
}

/** One entry of it another one, mostly what it shows. */
function changed(place: Place, random: Random): Place {
  const other = makePlace(random);
  if (random.chance(2)) return { ...place, look: other.look, value: other.value };
  return { ...place, ...pick(other, random.one(['look', 'value', 'pages', 'box', 'kids', 'kidPages', 'kind'])) };
}

const pick = (place: Place, key: keyof Place): Partial<Place> => ({ [key]: place[key] });

const types: Partial<Record<Kind, string>> = {
  Sig: '/FT /Sig',
  Tx: '/FT /Tx',
  Ch: '/FT /Ch',
  Check: '/FT /Btn',
  Push: '/FT /Btn /Ff 65536',
};
const rect = ([left, bottom, right, top]: Box) =>
  `/Rect [${left * 59.5} ${bottom * 84.2} ${right * 59.5} ${top * 84.2}]`;
const placeEntries = (box: Box | null) => `/Type /Annot /Subtype /Widget /F 4 ${box ? rect(box) : ''}`;
/** Beyond its rectangle, where it has no appearance. */
const points = '/Vertices [0 0 595 0 595 842 0 842] /IC [1]';

function objectsOf(scene: Scene): Record<number, string> {
  const found: Record<number, string> = {};
  for (const [number, { kind, box, look, kids, kidBox, value }] of scene) {
    const note = `<< /Type /Annot /Subtype /${kind} /F 4 ${box ? rect(box) : ''} ${look} ${kind === 'Polygon' ? points : ''} >>`;
    const below = {
      none: '',
      empty: '/Kids []',
      field: `/Kids [${number + 1} 0 R]`,
      place: `/Kids [${number + 1} 0 R]`,
    }[kids];
    const own = kids === 'place' ? '' : `${placeEntries(box)} ${look}`;
    found[number] = isField(kind) ? `<< /T (P${number}) ${types[kind] ?? ''} ${own} ${value} ${below} >>` : note;
    if (kids === 'field') found[number + 1] = `<< /T (Empty) /FT /Sig /Parent ${number} 0 R >>`;
    if (kids === 'place') found[number + 1] = `<< /Parent ${number} 0 R ${placeEntries(kidBox)} ${look} >>`;
  }
  return found;
}

/** What each page lists, in its order. */
function* listed(scene: Scene, on: number): Generator<readonly [number: number, place: Place, isKid: boolean]> {
  for (const [number, place] of scene) {
    if (place.pages.includes(on)) yield [number, place, false];
    if (place.kids === 'place' && place.kidPages.includes(on)) yield [number + 1, place, true];
  }
}

function withLists(pdf: SignedPdf, scene: Scene): Record<number, string> {
  const refs = (on: number) => [...listed(scene, on)].map(([number]) => `${number} 0 R `).join('');
  const fields = [...scene].flatMap(([number, { isInForm }]) => (isInForm ? `${number} 0 R ` : '')).join('');
  // What is listed before a mark is of the scene.
  const list = (dictionary: string, key: string, text: string) =>
    dictionary.replace(new RegExp(`/${key} \\[.*?(19 0 R)`), `/${key} [${text}$1`);
  return {
    [page]: list(pdf.object(page), 'Annots', refs(0)),
    [secondPage]: list(pdf.object(secondPage), 'Annots', refs(1)),
    [form]: list(pdf.object(form), 'Fields', fields),
  };
}

const plain = unsignedPdf();
const look = (gray: number) => stream('/Type /XObject /Subtype /Form /BBox [0 0 10 10]', `${gray} g 0 0 10 10 re f`);
/** Two pages, each with a mark that nothing touches. */
const empty = plain.replace({
  19: '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Mark) /Rect [0 0 0 0] >>',
  [page]: plain.object(page).replace('/Annots []', '/Annots [19 0 R]'),
  [pages]: `<< /Type /Pages /Kids [${page} 0 R ${secondPage} 0 R] /Count 2 >>`,
  [secondPage]: plain.object(page).replace('/Annots []', '/Annots [19 0 R]'),
  [firstLook]: look(0.2),
  [firstLook + 1]: look(0.8),
  [form]: plain.object(form).replace('/Fields []', '/Fields [19 0 R]'),
});

/** Where it is drawn; null for nowhere. */
function drawnBox({ kind, box, look, kids, kidBox }: Place, isKid: boolean): Box | null {
  if (kind === 'Polygon' && !look.startsWith('/AP')) return [0, 0, 10, 10];
  return isKid ? kidBox : kids === 'place' ? null : box;
}

function* cellsIn(box: Box | null): Generator<number> {
  const [left, bottom, right, top] = box ?? [0, 0, 0, 0];
  for (let column = left; column < right; column++) for (let row = bottom; row < top; row++) yield column * 10 + row;
}

/** What each cell of a page shows. */
function drawn(scene: Scene, on: number): ReadonlyMap<number, string> {
  const shown = new Map<number, string>();
  for (const [, place, isKid] of listed(scene, on)) {
    const { kind, look, value } = place;
    const isDrawnSo = look.startsWith('/AP') || (look !== '' && isField(kind)) || kind === 'Polygon';
    const text = isDrawnSo ? `${look}${kind === 'Polygon'}` : kind === 'Tx' && value ? value : '';
    if (text !== '') for (const cell of cellsIn(drawnBox(place, isKid))) shown.set(cell, text);
  }
  return shown;
}

const sizeOf = (box: Box | null) => [...cellsIn(box)].length;

/** The cells of a page that a step may draw anew. */
function* allowedCells(level: number | null, before: Scene, after: Scene, on: number): Generator<number> {
  if (level === 1) return;
  for (const scene of [before, after])
    for (const [number, place, isKid] of listed(scene, on)) {
      const top = isKid ? number - 1 : number;
      const [was, is] = [before.get(top), after.get(top)];
      const box = drawnBox(place, isKid);
      const isSigned = place.kind === 'Sig' && is?.value.endsWith(' R') && was?.value !== is.value;
      const wasThere = was !== undefined && (isKid ? was.kidPages : was.pages).includes(on);
      const isFilled = ['Tx', 'Ch', 'Check'].includes(place.kind) && wasThere && was.value !== is?.value;
      const isNote = level === 3 && !isField(place.kind) && place.kind !== 'Watermark' && sizeOf(box) <= 10;
      const isField50 = (isSigned || isFilled) && sizeOf(box) <= (wasThere ? 50 : 10);
      if (isNote || isField50) yield* cellsIn(box);
    }
}

function nextScene(scene: Scene, random: Random): Scene {
  const next = new Map(scene);
  for (let times = random.chance(4) ? 2 : 1; times > 0; times--) {
    const known = [...next.keys()];
    const number = random.one(known);
    const place = next.get(number);
    if (known.length < 6 && (!place || random.chance(3)))
      next.set(firstPlace + 2 * (Math.max(-1, ...known.map((one) => (one - firstPlace) / 2)) + 1), makePlace(random));
    else if (place && random.chance(8)) next.delete(number);
    else if (place) {
      // Behind all others now and then.
      if (random.chance(8)) next.delete(number);
      next.set(number, changed(place, random));
    }
  }
  return next;
}

/** With a signature or a timestamp in one of its fields, if one can hold it. */
function revised(pdf: SignedPdf, scene: Scene, random: Random): readonly [SignedPdf, Scene] {
  const empties = [...scene].filter(([, { kind, value, kids }]) => kind === 'Sig' && value === '' && kids !== 'field');
  const [number, place] = empties.length > 0 && !random.chance(4) ? random.one(empties) : [];
  if (number === undefined || !place) return [pdf.replace({ ...objectsOf(scene), ...withLists(pdf, scene) }), scene];
  let next = scene;
  const holder = (held: number) => {
    next = new Map([...scene].map(([one, is]) => [one, one === number ? { ...is, value: `/V ${held} 0 R` } : is]));
    return { ...objectsOf(next), ...withLists(pdf, next) };
  };
  const signed = random.chance(3)
    ? pdf.timestamp({ signer: forger, at, holder })
    : pdf.sign({ signer: forger, holder });
  return [signed, next];
}

/** What this seed makes, and for each page the cells that it draws anew, and those that it may. */
export function laterRevision(seed: number) {
  const random = randomOf(seed);
  const level = random.one([null, null, 1, 2, 3] as const);
  const before: Scene = new Map(
    Array.from({ length: random.below(3) }, (_, n) => [firstPlace + 2 * n, makePlace(random)] as const),
  );
  const prepared = empty.replace({ ...objectsOf(before), ...withLists(empty, before) });
  let pdf = prepared.sign({ signer, field: 'First', ...(level ? { certifies: level } : {}) });
  let scene = before;
  const allowed = [new Set<number>(), new Set<number>()];
  for (let steps = random.chance(3) ? 2 : 1; steps > 0; steps--) {
    const [revision, next] = revised(pdf, nextScene(scene, random), random);
    for (const [on, cells] of allowed.entries())
      for (const cell of allowedCells(level, scene, next, on)) cells.add(cell);
    [pdf, scene] = [revision, next];
  }
  const pagesDrawn = allowed.map((cells, on) => {
    const [was, is] = [drawn(before, on), drawn(scene, on)];
    const anew = [...new Set([...was.keys(), ...is.keys()])].filter((cell) => was.get(cell) !== is.get(cell));
    return { anew, notAllowed: anew.filter((cell) => !cells.has(cell)) };
  });
  const told = JSON.stringify({ seed, level, before: [...before], after: [...scene] });
  return { bytes: pdf.bytes, pages: pagesDrawn, told };
}
