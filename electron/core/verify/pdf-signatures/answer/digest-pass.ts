import { type DigestName, type RunningDigest, startDigest } from '../cms/digests.ts';
import type { Coverage } from '../signature-fields/coverage.ts';
import type { OpenFile } from '../structure/file-window.ts';
import type { FilePrefix } from './file-answer.ts';

export type DigestWanted = NonNullable<Coverage['range']> & { readonly name: DigestName };

const pieceBytes = 1024 * 1024;
/** How often the bytes behind a gap may be hashed over all signatures. */
const maxRepeats = 8;

/** All digests that are wanted of a file, while it is read once; null where so many signatures cover so much that this would take too long. */
export function digestFile(file: OpenFile, prefixes: readonly number[], wanted: readonly (DigestWanted | null)[]) {
  const covered: (Uint8Array | null)[] = wanted.map(() => null);
  const branches = affordable(file, wanted);
  const running = new Map<number, RunningDigest>();
  const bases = new Map(
    [...new Set(branches.map(({ name }) => name)), 'sha256' as const].map((name) => [name, startDigest(name)]),
  );
  const lengths = new Set(prefixes);
  const found: FilePrefix[] = [];
  const stops = new Set([...lengths, ...branches.flatMap(({ gap, rest, end }) => [gap, rest, end]), file.size]);
  const buffer = new Uint8Array(Math.min(pieceBytes, file.size));
  let position = 0;
  for (const stop of [...stops].sort((one, other) => one - other)) {
    while (position < stop) {
      const piece = buffer.subarray(0, Math.min(buffer.length, stop - position));
      file.readInto(piece, position);
      for (const base of bases.values()) base.update(piece);
      for (const { index, rest, end } of branches)
        if (rest <= position && position < end) running.get(index)?.update(piece);
      position += piece.length;
    }
    const sha256 = lengths.has(stop) && bases.get('sha256')?.copy().digest();
    if (sha256) found.push({ length: stop, sha256: Buffer.from(sha256).toString('hex') });
    for (const { index, name, gap, end } of branches) {
      const base = bases.get(name);
      if (gap === stop && base) running.set(index, base.copy());
      if (end !== stop) continue;
      covered[index] = running.get(index)?.digest() ?? null;
      running.delete(index);
    }
  }
  return { prefixes: found, covered };
}

function affordable(file: OpenFile, wanted: readonly (DigestWanted | null)[]) {
  let left = maxRepeats * file.size;
  return wanted.flatMap((one, index) => {
    if (one) left -= one.end - one.rest;
    return one && left >= 0 ? [{ ...one, index }] : [];
  });
}
