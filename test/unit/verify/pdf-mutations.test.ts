import { describe, expect, it } from 'vitest';
import { type Random, randomOf } from '../../fuzz/random.ts';
import { describeBytes } from '../../harness/describe-bytes.ts';
import { inProcessorTime } from '../../harness/processor-time.ts';
import { unsignedPdf } from '../../harness/signed-pdf.ts';
import { makeSigner } from '../../harness/signers.ts';
import { atLength } from '../../harness/test-length.ts';

const cases = atLength({ short: 300, ci: 1_000, all: 20_000 });
const signer = makeSigner({ key: 'p256' });
const authority = makeSigner({ key: 'p256' });
const at = new Date('2026-03-03T09:41:12Z');

/** From the worst; a file that is signed is never unsigned. */
const ranks = {
  broken: 0,
  changed: 0,
  undecidable: 0,
  'only-additions-allowed': 1,
  unchanged: 2,
  unsigned: 3,
} as const;
const words = [
  '/ByteRange',
  '/Contents',
  '/Fields',
  '/Kids',
  '/Prev',
  '/V',
  'obj',
  'endobj',
  'stream',
  '0 R',
  '<<',
  '>>',
  '[',
  '(',
  '%%EOF',
  'xref',
];

describe(`${cases} damaged files`, () => {
  const originals = (['table', 'stream', 'packed', 'hybrid', 'linearised'] as const).flatMap((xref) => {
    const signed = unsignedPdf({ fields: ['name'], xref }).sign({ signer, field: 'First' });
    const certified = unsignedPdf({ fields: ['name'], xref })
      .sign({ signer, certifies: 2 })
      .fill('name', 'Ana');
    return [
      signed,
      certified,
      signed.addValidationData([signer.certificate]).timestamp({ signer: authority, at }),
      signed.annotate('No'),
    ];
  });

  it('are answered within a second each, and never better than before', async () => {
    const before = await Promise.all(originals.map(async ({ bytes }) => (await describeBytes(bytes)).verdict));
    const outcomes = { broken: 0, changed: 0, undecidable: 0 };
    for (let seed = 0; seed < cases; seed++) {
      const random = randomOf(seed);
      const index = random.below(originals.length);
      const original = originals[index];
      const bytes = mutated(original?.bytes ?? Buffer.of(), random);
      // A file that is cut at the end of a revision is the honest one before.
      const end = bytes.toString('latin1').replace(/[\0\s]+$/, '').length + 1;
      if (original?.ends.slice(0, -1).includes(end)) continue;
      // Nor is one of which nothing that looks like a signature is left.
      if (!bytes.includes('/ByteRange') && !bytes.includes('/DocTimeStamp')) continue;
      const { value, ms } = await inProcessorTime(() => describeBytes(bytes));
      const { verdict, reason } = value;
      expect(ms, `seed ${seed}`).toBeLessThan(1_000);
      expect(ranks[verdict], `seed ${seed}: ${verdict}`).toBeLessThanOrEqual(ranks[before[index] ?? 'broken']);
      if (verdict in outcomes) {
        outcomes[verdict as keyof typeof outcomes]++;
        expect(reason, `seed ${seed}`).toMatch(/\.$/);
      }
    }
    // Not all may end at the first byte.
    expect(outcomes.broken).toBeGreaterThan(cases / 20);
    expect(outcomes.changed).toBeGreaterThan(cases / 200);
  });
});

/** Mostly where the structure is, as most of a file is the hexadecimal string of a signature. */
function mutated(bytes: Buffer, random: Random): Buffer {
  const place = () => {
    let found = random.below(bytes.length);
    for (let tries = 0; tries < 20 && /[0-9a-f]{2}/.test(bytes.toString('latin1', found, found + 2)); tries++)
      found = random.below(bytes.length);
    return found;
  };
  let changed: Buffer = Buffer.from(bytes);
  for (let times = 1 + random.below(3); times > 0; times--) {
    const from = Math.min(place(), changed.length);
    const kind = random.below(6);
    if (kind < 2) changed[from] = random.below(256);
    else if (kind === 2) changed.write(random.one(words), from, 'latin1');
    // Mostly without moving what is behind, as a file of which every place is wrong is refused at once.
    else if (kind === 3) changed = replaced(changed, from, ' '.repeat(1 + random.below(40)), random.chance(4));
    else if (kind === 4) {
      const copied = place();
      changed = replaced(changed, from, bytes.toString('latin1', copied, copied + random.below(400)), random.chance(4));
    } else if (random.chance(4)) changed = changed.subarray(0, from);
    else changed[from] = 0x30 + random.below(10);
  }
  return changed;
}

/** Over as many bytes, or moving what follows. */
function replaced(bytes: Buffer, from: number, text: string, moves: boolean): Buffer {
  const rest = bytes.subarray(moves ? from : from + text.length);
  return Buffer.concat([bytes.subarray(0, from), Buffer.from(text, 'latin1'), rest]);
}
