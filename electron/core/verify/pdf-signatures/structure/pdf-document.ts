import { type Decryption, openEncryption } from './encryption.ts';
import { type Bytes, bytesOf } from './file-window.ts';
import { decode } from './filters.ts';
import { type IndirectObject, readIndirectObject } from './indirect-object.ts';
import { Lexer } from './lexer.ts';
import {
  emptyDictionary,
  isKind,
  isWhole,
  nameOf,
  type PdfDictionary,
  type PdfReference,
  type PdfValue,
} from './pdf-values.ts';
import { latestPlace, type Revision, readRevisions } from './revisions.ts';
import { Unreadable } from './unreadable.ts';
import type { Place } from './xref-section.ts';

/** The document as it was after one of its revisions. */
export interface View {
  /** Of the revision, from 0. */
  readonly index: number;
  readonly trailer: PdfDictionary;
  readonly root: PdfDictionary;
  /** Follows references; null for what is free or not there. */
  resolve(value: PdfValue | undefined): PdfValue;
  dictionary(value: PdfValue | undefined): PdfDictionary | null;
  items(value: PdfValue | undefined): readonly PdfValue[];
  /** Where the object stands in the file by itself; null if it is packed with others. */
  locate(reference: PdfReference): IndirectObject | null;
}

export interface PdfDocument {
  readonly bytes: Bytes;
  readonly revisions: readonly Revision[];
  readonly isEncrypted: boolean;
  readonly hasKey: boolean;
  view(index: number): View;
  /** The object that stands at this place by itself. */
  objectAt(offset: number, index: number): IndirectObject;
  /** Decrypted and unpacked; null if it is no stream. */
  contentOf(object: IndirectObject): Uint8Array | null;
}

/** All objects that are looked at, over all revisions, and all bytes of packed ones. */
const maxObjects = 400_000;
/** References that are followed, over all comparisons. */
const maxSteps = 3_000_000;
const maxPackedBytes = 192 * 1024 * 1024;
const maxPackedKept = 48 * 1024 * 1024;
const maxPackedObjects = 100_000;

interface PackedObjects {
  readonly bytes: Uint8Array;
  readonly numbers: readonly number[];
  readonly offsets: readonly number[];
}

export function openDocument(bytes: Bytes, password: string): PdfDocument {
  const revisions = readRevisions(bytes);
  const single = new Map<number, IndirectObject>();
  const packed = new Map<number, PackedObjects>();
  const packedValues = new Map<string, PdfValue>();
  const views = new Map<number, View>();
  let decryption: Decryption | null = null;
  let encryption: PdfReference | null = null;
  let [packedBytes, packedKept, steps] = [0, 0, 0];

  function count(): void {
    if (single.size + packedValues.size >= maxObjects)
      throw new Unreadable('The file has more objects than can be looked at.');
  }

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
      throw new Unreadable('A later revision changes the length of a part of an earlier one.');
    return objectIn(index, reference);
  }

  function objectIn(index: number, { number, generation }: PdfReference): PdfValue {
    const place = placeIn(index, number);
    if (!place || place.kind === 'free') return null;
    if (generation !== (place.kind === 'packed' ? 0 : place.generation))
      throw new Unreadable('The file refers to an object that was another one.');
    if (place.kind === 'packed') return packedValue(index, number, place);
    const object = objectAt(place.offset, index);
    if (object.number !== number || object.generation !== generation)
      throw new Unreadable('An object of the file is not where it should be.');
    return object.value;
  }

  function packedValue(index: number, number: number, place: Place & { kind: 'packed' }): PdfValue {
    const container = placeIn(index, place.stream);
    if (container?.kind !== 'file') throw new Unreadable('An object of the file is packed into one that is not there.');
    const key = `${container.offset} ${place.index}`;
    const known = packedValues.get(key);
    if (known !== undefined) return known;
    count();
    const objects = packed.get(container.offset) ?? unpack(index, place.stream, container.offset);
    const offset = objects.offsets[place.index];
    if (objects.numbers[place.index] !== number || offset === undefined)
      throw new Unreadable('An object of the file is not where it should be.');
    const value = new Lexer(bytesOf(objects.bytes), offset, true).value();
    if (isKind(value, 'reference')) throw new Unreadable('An object of the file is only a reference.');
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
      throw new Unreadable('An object of the file is packed into one that holds none.');
    const content = contentOf(object) ?? new Uint8Array();
    packedBytes += content.length;
    packedKept += content.length;
    if (packedBytes > maxPackedBytes) throw new Unreadable('The file has more objects than can be looked at.');
    if (packedKept > maxPackedKept) {
      packed.clear();
      packedKept = content.length;
    }
    const objects = readPacked(content, value.dictionary);
    packed.set(offset, objects);
    return objects;
  }

  function contentOf(object: IndirectObject): Uint8Array | null {
    const { value } = object;
    if (!isKind(value, 'stream')) return null;
    const stored = bytes.slice(value.start, value.start + value.length);
    return decode(value.dictionary, decryption ? decryption.stream(stored, object) : stored);
  }

  const placeIn = (index: number, number: number) => latestPlace(revisions, number, index);

  function view(index: number): View {
    const known = views.get(index);
    if (known) return known;
    const trailer = revisions[index]?.trailer ?? emptyDictionary;
    const resolve = (value: PdfValue | undefined): PdfValue => {
      let result = value ?? null;
      for (let hops = 0; isKind(result, 'reference'); hops++) {
        if (++steps > maxSteps) throw new Unreadable('The file has more objects than can be compared.');
        if (hops > 8) throw new Unreadable('The objects of the file refer to each other in a circle.');
        result = objectIn(index, result);
      }
      return result;
    };
    const dictionary = (value: PdfValue | undefined) => {
      const found = resolve(value);
      return isKind(found, 'dictionary') ? found : null;
    };
    const root = dictionary(trailer.entries.get('Root'));
    if (!root) throw new Unreadable('The file has no catalog of its contents.');
    const items = (value: PdfValue | undefined) => {
      const found = resolve(value);
      return isKind(found, 'array') ? found.items : [];
    };
    const locate = ({ number }: PdfReference) => {
      const place = placeIn(index, number);
      return place?.kind === 'file' ? objectAt(place.offset, index) : null;
    };
    const made: View = { index, trailer, root, resolve, dictionary, items, locate };
    views.set(index, made);
    return made;
  }

  const newest = revisions.at(-1)?.trailer ?? emptyDictionary;
  const named = newest.entries.get('Encrypt') ?? null;
  if (named !== null) {
    if (isKind(named, 'reference')) encryption = named;
    const terms = isKind(named, 'reference') ? objectIn(revisions.length - 1, named) : named;
    if (!isKind(terms, 'dictionary')) throw new Unreadable('The file is encrypted in a way that is not known here.');
    const [id] = isKind(newest.entries.get('ID'), 'array')
      ? view(revisions.length - 1).items(newest.entries.get('ID'))
      : [];
    decryption = openEncryption(terms, isKind(id, 'string') ? id.bytes : new Uint8Array(), password);
    single.clear();
    views.clear();
  }
  return {
    bytes,
    revisions,
    isEncrypted: named !== null,
    hasKey: decryption?.hasKey ?? true,
    view,
    objectAt,
    contentOf,
  };
}

function readPacked(bytes: Uint8Array, { entries }: PdfDictionary): PackedObjects {
  const [count, first] = [entries.get('N'), entries.get('First')];
  if (!isWhole(count) || !isWhole(first) || count > maxPackedObjects || first > bytes.length)
    throw new Unreadable('Packed objects of the file cannot be unpacked.');
  const lexer = new Lexer(bytesOf(bytes.subarray(0, first)), 0);
  const numbers: number[] = [];
  const offsets: number[] = [];
  for (let index = 0; index < count; index++) {
    numbers.push(lexer.whole());
    offsets.push(first + lexer.whole());
  }
  return { bytes, numbers, offsets };
}

function isXref(value: PdfValue): boolean {
  return isKind(value, 'stream') && nameOf(value.dictionary.entries.get('Type')) === 'XRef';
}
