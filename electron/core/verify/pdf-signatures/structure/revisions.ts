import { Unreadable } from '../doubt.ts';
import type { Bytes } from './file-window.ts';
import { behindSpace, isWhiteSpace, Lexer, malformed, maxSpaceBytes } from './lexer.ts';
import { isKind, isWhole, type PdfDictionary } from './pdf-values.ts';
import { type Place, readSection, type Section, type Span } from './xref-section.ts';

type Places = ReadonlyMap<number, Place>;

/** What was written at one time: its objects, their places and an end. */
export interface Revision {
  readonly places: Places;
  readonly trailer: PdfDictionary;
  readonly start: number;
  /** Behind `%%EOF`, without and with the line end. */
  readonly end: number;
  readonly endWithLine: number;
  /** Where its places and ends stand; no other object does. */
  readonly spans: readonly Span[];
}

const maxRevisions = 1_000;
const tailBytes = 2_048;
const partOfPdf = /obj|xref|trailer|stream|%%EOF|%PDF|\/ByteRange/i;

/** Oldest first. They follow each other without a gap, each with its own places and end; else the file is refused. */
export function readRevisions(bytes: Bytes): Revision[] {
  if (Buffer.from(bytes.slice(0, Math.min(5, bytes.length))).toString('latin1') !== '%PDF-')
    throw new Unreadable('no-start');
  const sections = readSections(bytes);
  const revisions: Revision[] = [];
  let start = 0;
  for (const group of grouped(bytes, sections)) {
    const newest = group.at(-1);
    if (!newest) continue;
    const end = Math.max(...group.map((section) => section.end));
    if (group.some((section) => section.start < start)) throw new Unreadable('revision-order');
    const places = new Map<number, Place>();
    const spans: Span[] = [];
    for (const section of group) {
      for (const [number, place] of section.places) places.set(number, place);
      spans.push([section.start, section.end]);
      if (!section.hybrid) continue;
      addHidden(places, section.hybrid.places, revisions, section.hybrid.span[0] < start);
      if (section.hybrid.span[0] >= start) spans.push(section.hybrid.span);
    }
    const endWithLine = behindLine(bytes, end);
    revisions.push({ places, trailer: newest.trailer, start, end, endWithLine, spans });
    start = endWithLine;
  }
  // Where more follows, some readers do not find the end; what looks like a part of a document, some take for one.
  const rest = bytes.slice(start, Math.min(bytes.length, start + tailBytes));
  if (bytes.length - start > tailBytes / 2 || partOfPdf.test(Buffer.from(rest).toString('latin1')))
    throw new Unreadable('no-end');
  // A viewer goes by this length: it is that of the file as it was written first.
  const [first] = revisions;
  const length = linearisedLength(bytes);
  if (length !== null && first && (length < first.end || length > first.endWithLine))
    throw new Unreadable('revision-order');
  return revisions;
}

/** Whether more than white space stands behind the end of the last revision, as a mail gateway writes a comment there. No reader takes it for a part of the document. */
export function hasRest(bytes: Bytes, revisions: readonly Revision[]): boolean {
  return behindSpace(bytes, revisions.at(-1)?.end ?? 0) < bytes.length;
}

/** What only newer readers see is free in the table, or not there. A signer that copies the reference to the stream of an older revision adds nothing by that, or its file says two things. */
function addHidden(places: Map<number, Place>, hidden: Places, earlier: Revision[], isOlder: boolean) {
  for (const [number, place] of hidden) {
    const [listed, before] = [places.get(number), latestPlace(earlier, number)];
    // A reader takes it for free now.
    if (place.kind === 'free' && ![undefined, 'free'].includes((listed ?? before)?.kind))
      throw new Unreadable('two-views');
    if (place.kind === 'free') continue;
    const isListed = listed !== undefined && listed.kind !== 'free';
    // Older readers take for free what was there before.
    if (!isOlder && listed && !isListed && before && before.kind !== 'free') throw new Unreadable('two-views');
    const known = isOlder && !isListed ? before : listed;
    if (known && known.kind !== 'free' && !(isOlder && isListed) && !samePlace(known, place))
      throw new Unreadable('two-views');
    if (!known || known.kind === 'free') places.set(number, place);
  }
}

/** As it is after the last of these revisions, or after the one of this index. */
export function latestPlace(all: readonly Revision[], number: number, last = all.length - 1): Place | undefined {
  for (let index = last; index >= 0; index--) {
    const place = all[index]?.places.get(number);
    if (place) return place;
  }
  return undefined;
}

function samePlace(one: Place | undefined, other: Place): boolean {
  if (one?.kind === 'file' && other.kind === 'file') return one.offset === other.offset;
  return one?.kind === 'packed' && other.kind === 'packed' && one.stream === other.stream && one.index === other.index;
}

/** Newest first. */
function readSections(bytes: Bytes): Section[] {
  const sections: Section[] = [];
  const seen = new Set<number>();
  for (let at: number | null = lastSection(bytes); at !== null; ) {
    if (seen.has(at)) throw new Unreadable('circle');
    if (seen.size >= maxRevisions) throw new Unreadable('too-large');
    seen.add(at);
    const section: Section = readSection(bytes, at);
    sections.push(section);
    at = section.previous;
  }
  return sections;
}

function lastSection(bytes: Bytes): number {
  let end = bytes.length;
  while (end > 0 && isWhiteSpace(bytes.at(end - 1)))
    if (--end < bytes.length - maxSpaceBytes) throw new Unreadable('too-large');
  const tail = Buffer.from(bytes.slice(Math.max(0, end - tailBytes), end)).toString('latin1');
  const found = /startxref[\0\t\n\f\r ]+(\d{1,15})[\0\t\n\f\r ]+%%EOF(?![\s\S]*(?:startxref|%%EOF))/.exec(tail)?.[1];
  if (!found) throw new Unreadable('no-end');
  return Number(found);
}

/** Oldest first; the two sections of a linearised file are one revision, whose newer one stands at its beginning. */
function grouped(bytes: Bytes, sections: readonly Section[]): Section[][] {
  const groups = sections.map((section) => [section]);
  const [front, back] = [sections.at(-2), sections.at(-1)];
  if (front && back && front.start < back.start) {
    if (linearisedLength(bytes) === null || back.startxref !== front.start) throw new Unreadable('revision-order');
    groups.splice(-2, 2, [back, front]);
  }
  if (groups.some(([only, other]) => !other && only?.startxref !== only?.start)) throw new Unreadable('revision-order');
  return groups.reverse();
}

/** As the first object says it; null where that is another one. */
function linearisedLength(bytes: Bytes): number | null {
  const lexer = new Lexer(bytes, 0);
  if (!/^\d+$/.test(lexer.word()) || !/^\d+$/.test(lexer.word()) || !lexer.has('obj')) return null;
  lexer.skip();
  if (bytes.at(lexer.position) !== 0x3c || bytes.at(lexer.position + 1) !== 0x3c) return null;
  const value = lexer.value();
  const length = isKind(value, 'dictionary') && value.entries.has('Linearized') ? value.entries.get('L') : null;
  if (length !== null && !isWhole(length)) throw malformed();
  return length;
}

function behindLine(bytes: Bytes, end: number): number {
  let at = end;
  if (bytes.at(at) === 0x0d) at++;
  if (bytes.at(at) === 0x0a) at++;
  return at;
}
