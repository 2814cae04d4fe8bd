import { setImmediate as nextTurn } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { failureOf } from '../../foundation/app-error.ts';
import type { ZipParts } from './read-zip.ts';
import { unusableTable } from './table.ts';

/** Largest part, unpacked: a sheet of 10,000 rows is far below. */
const mostPartMb = 48;

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
  parser.on('opentag', ({ name, attributes }) => onOpen(local(name), attributes));
  parser.on('closetag', ({ name }) => onClose?.(local(name)));
  parser.on('text', (text) => onText?.(text));
  const decoder = new TextDecoder('utf-8');
  try {
    for await (const piece of parts.pieces(part, mostPartMb * 1024 * 1024)) {
      parser.write(decoder.decode(piece, { stream: true }));
      if (isDone?.()) return;
      await nextTurn();
    }
    parser.write(decoder.decode()).close();
  } catch (error) {
    if (failureOf(error)) throw error;
    if (error instanceof RangeError) throw unusableTable(`has ${what} of more than ${mostPartMb} MB when unpacked`);
    throw unusableTable('is damaged');
  }
}
