import { Unreadable } from '../doubt.ts';
import { type Decryption, openEncryption } from './encryption.ts';
import { type Bytes, bytesOf } from './file-window.ts';
import { Lexer } from './lexer.ts';
import type { PdfDictionary, PdfReference, PdfValue } from './pdf-values.ts';
import { emptyDictionary, isKind, isWhole, nameOf } from './pdf-values.ts';
import { latestPlace, readRevisions } from './revisions.ts';
import { decode } from './stream-filters.ts';
import { type IndirectObject, type Place, readIndirectObject } from './xref-section.ts';

export type PdfDocument = ReturnType<typeof openDocument>;
/** The document as it was after one of its revisions. */
export type View = ReturnType<PdfDocument['view']>;

/** All objects that are looked at, over all revisions, and all bytes of packed ones. */
const maxObjects = 400_000;
/** References that are followed, over all comparisons. */
const maxSteps = 3_000_000;
const maxPackedBytes = 192 * 1024 * 1024;
const maxPackedKept = 48 * 1024 * 1024;
const maxPackedObjects = 100_000;

type PackedObjects = ReturnType<typeof readPacked>;

export function openDocument(bytes: Bytes, password: string) {
  const revisions = readRevisions(bytes);
  const single = new Map<number, IndirectObject>();
  const packed = new Map<number, PackedObjects>();
  const packedValues = new Map<string, PdfValue>();
  const views = new Map<number, ReturnType<typeof makeView>>();
  let decryption: Decryption | null = null;
  let encryption: PdfReference | null = null;
  let [packedBytes, packedKept, steps] = [0, 0, 0];

  function count(): void {
    if (single.size + packedValues.size >= maxObjects) throw new Unreadable('too-large');
  }

  /** The object that stands at this place by itself. */
  function objectAt(offset: number, index: number): IndirectObject {
    const known = single.get(offset);
    if (known) return known;
    count();
    const lengthOf = (reference: PdfReference) => lengthIn(index, reference);
    const read = readIndirectObject(bytes, offset, lengthOf);
    const isOwn = encryption?.number === read.number || isXref(read.value);
    const found = decryption && !isOwn ? { ...read, value: decryption.strings(read.value, read) } : read;
    single.set(offset, found);
    return found;
  }

  /** A length that a later revision replaced would make two streams of one. */
  function lengthIn(index: number, reference: PdfReference): PdfValue {
    const places = revisions.flatMap((revision) => revision.places.get(reference.number) ?? []);
    if (new Set(places.map((place) => (place.kind === 'file' ? place.offset : place.kind))).size > 1)
      throw new Unreadable('two-lengths');
    return objectIn(index, reference);
  }

  function objectIn(index: number, { number, generation }: PdfReference): PdfValue {
    const place = placeIn(index, number);
    if (!place || place.kind === 'free') return null;
    if (generation !== (place.kind === 'packed' ? 0 : place.generation)) throw new Unreadable('misplaced');
    if (place.kind === 'packed') return packedValue(index, number, place);
    const object = objectAt(place.offset, index);
    if (object.number !== number || object.generation !== generation) throw new Unreadable('misplaced');
    return object.value;
  }

  function packedValue(index: number, number: number, place: Place & { kind: 'packed' }): PdfValue {
    const container = placeIn(index, place.stream);
    if (container?.kind !== 'file') throw new Unreadable('misplaced');
    const key = `${container.offset} ${place.index}`;
    const known = packedValues.get(key);
    if (known !== undefined) return known;
    count();
    const objects = packed.get(container.offset) ?? unpack(index, place.stream, container.offset);
    const offset = objects.offsets[place.index];
    if (objects.numbers[place.index] !== number || offset === undefined) throw new Unreadable('misplaced');
    const lexer = new Lexer(bytesOf(objects.bytes), offset, true);
    const value = lexer.value();
    // Some readers end it where the next one begins.
    const isCut = lexer.position > (objects.offsets[place.index + 1] ?? objects.bytes.length);
    if (isCut || isKind(value, 'reference')) throw new Unreadable('misplaced');
    packedValues.set(key, value);
    return value;
  }

  function unpack(index: number, number: number, offset: number): PackedObjects {
    const object = objectAt(offset, index);
    const { value } = object;
    if (
      object.number !== number ||
      !isKind(value, 'stream') ||
      nameOf(value.dictionary.entries.get('Type')) !== 'ObjStm'
    )
      throw new Unreadable('misplaced');
    const content = contentOf(object) ?? new Uint8Array();
    packedBytes += content.length;
    packedKept += content.length;
    if (packedBytes > maxPackedBytes) throw new Unreadable('too-large');
    if (packedKept > maxPackedKept) {
      packed.clear();
      packedKept = content.length;
    }
    const objects = readPacked(content, value.dictionary);
    packed.set(offset, objects);
    return objects;
  }

  /** Decrypted and unpacked; null if it is no stream. */
  function contentOf(object: IndirectObject): Uint8Array | null {
    const { value } = object;
    if (!isKind(value, 'stream')) return null;
    const stored = bytes.slice(value.start, value.start + value.length);
    return decode(value.dictionary, decryption ? decryption.stream(stored, object) : stored);
  }

  const placeIn = (index: number, number: number) => latestPlace(revisions, number, index);

  function view(index: number) {
    const known = views.get(index) ?? makeView(index);
    views.set(index, known);
    return known;
  }

  function makeView(index: number) {
    const trailer = revisions[index]?.trailer ?? emptyDictionary;
    /** Follows references; null for what is free or not there. */
    const resolve = (value: PdfValue | undefined): PdfValue => {
      let result = value ?? null;
      for (let hops = 0; isKind(result, 'reference'); hops++) {
        if (++steps > maxSteps) throw new Unreadable('too-large');
        if (hops > 8) throw new Unreadable('circle');
        result = objectIn(index, result);
      }
      return result;
    };
    const dictionary = (value: PdfValue | undefined) => {
      const found = resolve(value);
      return isKind(found, 'dictionary') ? found : null;
    };
    const root = dictionary(trailer.entries.get('Root'));
    if (!root) throw new Unreadable('no-catalog');
    const items = (value: PdfValue | undefined): readonly PdfValue[] => {
      const found = resolve(value);
      return isKind(found, 'array') ? found.items : [];
    };
    /** Where the object stands in the file by itself; null if it is packed with others. */
    const locate = ({ number }: PdfReference) => {
      const place = placeIn(index, number);
      return place?.kind === 'file' ? objectAt(place.offset, index) : null;
    };
    /** Of a stream, decrypted and unpacked; null where there is none. */
    const content = (reference: PdfReference) => {
      const object = locate(reference);
      const found = object && contentOf(object);
      steps += (found?.length ?? 0) / 64;
      return found && Buffer.from(found);
    };
    return { index, trailer, root, resolve, dictionary, items, locate, content };
  }

  const newest = revisions.at(-1)?.trailer ?? emptyDictionary;
  const named = newest.entries.get('Encrypt') ?? null;
  if (named !== null) {
    if (isKind(named, 'reference')) encryption = named;
    const terms = isKind(named, 'reference') ? objectIn(revisions.length - 1, named) : named;
    if (!isKind(terms, 'dictionary')) throw new Unreadable('encrypted-otherwise');
    const ids = newest.entries.get('ID');
    const [id] = isKind(ids, 'array') ? ids.items : [];
    decryption = openEncryption(terms, isKind(id, 'string') ? id.bytes : new Uint8Array(), password);
    single.clear();
  }
  /** All but strings and streams can be read. */
  const isLocked = decryption?.hasKey === false;
  return { bytes, revisions, isLocked, view, objectAt, contentOf };
}

function readPacked(bytes: Uint8Array, { entries }: PdfDictionary) {
  const [count, first] = [entries.get('N'), entries.get('First')];
  if (!isWhole(count) || !isWhole(first) || count > maxPackedObjects || first > bytes.length)
    throw new Unreadable('compressed');
  const lexer = new Lexer(bytesOf(bytes.subarray(0, first)), 0);
  const numbers: number[] = [];
  const offsets: number[] = [];
  for (let index = 0; index < count; index++) {
    numbers.push(lexer.whole());
    offsets.push(first + lexer.whole());
  }
  // Of two with one number readers take the first, or the last.
  if (new Set(numbers).size < count) throw new Unreadable('two-places');
  return { bytes, numbers, offsets };
}

function isXref(value: PdfValue): boolean {
  return isKind(value, 'stream') && nameOf(value.dictionary.entries.get('Type')) === 'XRef';
}
