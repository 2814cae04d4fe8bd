import { setImmediate as nextTurn } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { failureOf } from '../../foundation/app-error.ts';
import type { ZipParts } from './read-zip.ts';
import { unusableTable } from './table.ts';

/** Largest part, unpacked: a sheet of 10,000 rows is far below. */
const mostPartMb = 48;
/** Far above what spreadsheet programs write. The parser keeps every open element with its attributes, and a text until it ends, at fifty bytes for some characters. */
const [mostDepth, mostAttributes, mostTextUnits] = [64, 100, 1024 * 1024];

interface Reading {
  /** Name of the part in the error for one that is too large. */
  readonly what: string;
  readonly onOpen: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly onClose?: (name: string) => void;
  readonly onText?: (text: string) => void;
  /** True if enough was read. */
  readonly isDone?: () => boolean;
}

/** Parses a part of a workbook piece by piece, so that a large sheet does not block the program. Names are passed without prefix; DOCTYPE is refused. Rejects with bad-input (`tableToken`). */
export async function parsePart(
  parts: ZipParts,
  part: string,
  { what, onOpen, onClose, onText, isDone }: Reading,
): Promise<void> {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('a document type declaration is not accepted');
  });
  let [depth, attributes, textUnits] = [0, 0, 0];
  let isTag = false;
  const textEnds = (text: string) => {
    textUnits = 0;
    onText?.(text);
  };
  parser.on('opentagstart', () => {
    attributes = 0;
    isTag = true;
    depth += 1;
    if (depth > mostDepth)
      throw unusableTable('table-unreadable', `has ${what} with more than ${mostDepth} elements inside each other`);
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > mostAttributes)
      throw unusableTable('table-unreadable', `has ${what} with more than ${mostAttributes} attributes`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    isTag = false;
    textUnits = 0;
    onOpen(local(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    textUnits = 0;
    depth -= 1;
    onClose?.(local(name));
  });
  parser.on('text', textEnds);
  parser.on('cdata', textEnds);
  const decoder = new TextDecoder('utf-8');
  try {
    for await (const piece of parts.pieces(part, mostPartMb * 1024 * 1024)) {
      textUnits += piece.length;
      parser.write(decoder.decode(piece, { stream: true }));
      if (!isTag && textUnits > mostTextUnits)
        throw unusableTable('table-too-large', `has ${what} with a text of more than a million characters`);
      if (isDone?.()) return;
      await nextTurn();
    }
    parser.write(decoder.decode()).close();
  } catch (error) {
    throw failureOf(error) ? error : unreadPart(error, what);
  }
}

function unreadPart(error: unknown, what: string) {
  return error instanceof RangeError
    ? unusableTable('table-too-large', `has ${what} of more than ${mostPartMb} MB when unpacked`)
    : unusableTable('table-unreadable', 'is damaged');
}
