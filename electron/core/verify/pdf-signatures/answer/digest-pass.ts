import { type DigestName, type RunningDigest, startDigest } from '../cms/digests.ts';
import type { Coverage } from '../signature-fields/coverage.ts';
import type { OpenFile } from '../structure/file-window.ts';
import type { FilePrefix } from './file-answer.ts';

export interface DigestWanted {
  readonly name: DigestName;
  readonly ranges: NonNullable<Coverage['ranges']>;
}

export interface Digests {
  readonly prefixes: readonly FilePrefix[];
  /** In the order in which they were wanted; null where so many signatures cover so much that this would take too long. */
  readonly covered: readonly (Uint8Array | null)[];
}

const pieceBytes = 1024 * 1024;
/** How often the bytes behind a gap may be hashed over all signatures. */
const maxRepeats = 8;

interface Branch {
  readonly index: number;
  readonly name: DigestName;
  readonly gap: number;
  readonly start: number;
  readonly end: number;
  running: RunningDigest | null;
}

/** All digests that are wanted of a file, while it is read once. */
export function digestFile(file: OpenFile, prefixes: readonly number[], wanted: readonly DigestWanted[]): Digests {
  const covered: (Uint8Array | null)[] = wanted.map(() => null);
  const branches = affordable(file, wanted);
  const bases = new Map(
    [...new Set(branches.map(({ name }) => name)), 'sha256' as const].map((name) => [name, startDigest(name)]),
  );
  const lengths = new Set(prefixes);
  const found: FilePrefix[] = [];
  const stops = new Set([...lengths, ...branches.flatMap(({ gap, start, end }) => [gap, start, end]), file.size]);
  const buffer = new Uint8Array(Math.min(pieceBytes, file.size));
  let position = 0;
  for (const stop of [...stops].sort((one, other) => one - other)) {
    while (position < stop) {
      const piece = buffer.subarray(0, Math.min(buffer.length, stop - position));
      file.readInto(piece, position);
      for (const base of bases.values()) base.update(piece);
      for (const { running, start, end } of branches)
        if (running && start <= position && position < end) running.update(piece);
      position += piece.length;
    }
    if (lengths.has(stop)) found.push({ length: stop, sha256: hex(bases.get('sha256')?.copy()) });
    for (const branch of branches) {
      if (branch.gap === stop) branch.running = bases.get(branch.name)?.copy() ?? null;
      if (branch.end !== stop) continue;
      covered[branch.index] = branch.running?.digest() ?? null;
      branch.running = null;
    }
  }
  return { prefixes: found, covered };
}

function affordable(file: OpenFile, wanted: readonly DigestWanted[]): Branch[] {
  let left = maxRepeats * file.size;
  return wanted.flatMap(({ name, ranges: [[, gap], [start, length]] }, index) => {
    left -= length;
    return left < 0 ? [] : [{ index, name, gap, start, end: start + length, running: null }];
  });
}

function hex(hash: RunningDigest | undefined): string {
  return Buffer.from(hash?.digest() ?? []).toString('hex');
}
