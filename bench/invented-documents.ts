import type { NewDocument } from '../electron/store/documents/documents.ts';

const perTransaction = 2_000;
const people = ['Ayla Öztürk', 'Björn Ångström', 'Chidi Okafor', 'Dana Müller'];

/** One of `count` documents of a big register. */
export function invented(connectionId: string, n: number, count: number): NewDocument {
  return {
    connectionId,
    documentId: `${n.toString(16).padStart(8, '0')}-0000-4000-8000-${(n * 7).toString(16).padStart(12, '0')}`,
    jobId: null,
    name: `Lease ${(n * 2_654_435_761) % count} ${['north', 'south', 'east', 'west'][n % 4]}`,
    description: n % 1_000 === 0 ? 'with a rare remark' : 'signed copy for the archive',
    clientId: `CASE-${n % 1_000}/${n}`,
    signers: `${people[n % 4]} signer${n % 500}@example.com`,
    fileName: `scan_${n}.pdf`,
    sizeBytes: (n * 7_919) % 5_000_000,
    sha256: n.toString(16).padStart(64, '0'),
    registeredAt: new Date(1_700_000_000_000 + n * 60_000).toISOString(),
  };
}

/** All of them, as many at once as one transaction takes: never all are in memory. */
export function* portions(connectionId: string, count: number): Generator<NewDocument[]> {
  for (let from = 0; from < count; from += perTransaction)
    yield Array.from({ length: Math.min(perTransaction, count - from) }, (_each, n) =>
      invented(connectionId, from + n, count),
    );
}

/** Every prefix of the typed words, letter by letter. */
export function typed(words: readonly string[]): string[] {
  return words.flatMap((word) => Array.from(word, (_letter, at) => word.slice(0, at + 1)));
}

export const silentLog = { info: () => undefined, error: () => undefined };
