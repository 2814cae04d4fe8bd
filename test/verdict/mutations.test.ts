import { expect, it } from 'vitest';
import type { FileVerdict } from '../../contract/pdf-signatures.ts';
import type { KnownSigners } from '../../electron/core/verify/pdf-signatures/trust/known-signers.ts';
import { issue, revocationList } from '../harness/chains.ts';
import { describeBytes } from '../harness/describe-bytes.ts';
import { inProcessorTime } from '../harness/processor-time.ts';
import { type SignedPdf, unsignedPdf } from '../harness/signed-pdf.ts';
import { makeSigner } from '../harness/signers.ts';
import { atLength } from '../harness/test-length.ts';

/** From the worst to the best that can be said of a signed file. */
const better: readonly (readonly FileVerdict[])[] = [
  ['broken', 'changed', 'undecidable'],
  ['only-additions-allowed'],
  ['unchanged'],
];
const rankOf = (verdict: FileVerdict) => better.findIndex((some) => some.includes(verdict));

const root = issue({ name: 'Root', authority: true });
const known: KnownSigners = {
  lists: [
    {
      by: 'organisation',
      name: '',
      date: null,
      certificates: [{ bytes: root.certificate, purpose: 'any', granted: null }],
    },
  ],
  problem: null,
};

function originals(): readonly SignedPdf[] {
  const jane = makeSigner({ key: 'rsa', name: 'Jane Doe' });
  const ana = issue({ name: 'Ana Ruiz', by: root });
  const omar = issue({ name: 'Omar', by: root, purposes: ['1.3.6.1.5.5.7.3.8', '1.3.6.1.5.5.7.3.36'] });
  const plain = unsignedPdf({ text: 'Lease', fields: ['Name', 'Sum'] });
  const streams = unsignedPdf({ text: 'Lease', fields: ['Name'], xref: 'stream' });
  const signed = plain.sign({ signer: jane, signedAt: new Date('2026-03-03T09:41:07Z') });
  const changed = signed.replace({ 4: '<< /Length 3 >>\nstream\nq Q\nendstream' });
  return [
    signed,
    signed.sign({ signer: omar, subFilter: 'ETSI.CAdES.detached', signingCertificate: 'v2' }),
    plain.sign({ signer: omar, certifies: 2 }).fill('Name', 'Ana'),
    streams
      .sign({ signer: ana, certifies: 1 })
      .addValidationData([root.certificate], [revocationList({ by: root })])
      .timestamp({ signer: omar, at: new Date('2026-03-04T00:00:00Z') }),
    changed,
  ];
}

/** A source of numbers that repeats. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Mutation = (bytes: Buffer, below: (below: number) => number) => Buffer;

const words = ['/ByteRange', '/Contents', '/Prev', '/Root', 'startxref', '/Fields', '/V', '/Annots', 'endobj', '%%EOF'];

const mutations: readonly Mutation[] = [
  (bytes, below) => {
    const at = below(bytes.length);
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ (1 + below(255));
    return changed;
  },
  (bytes, below) => {
    const at = below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(40))]);
  },
  (bytes, below) => {
    const [at, from] = [below(bytes.length), below(bytes.length)];
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(from, from + 1 + below(400)), bytes.subarray(at)]);
  },
  // Digits are what offsets, lengths and ranges are made of.
  (bytes, below) => {
    const digits = [...bytes.keys()].filter((at) => (bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x39);
    const changed = Buffer.from(bytes);
    changed[digits[below(digits.length)] ?? 0] = 0x30 + below(10);
    return changed;
  },
  (bytes, below) => {
    const word = words[below(words.length)] ?? '';
    const at = bytes.indexOf(word, below(bytes.length));
    if (at < 0) return bytes.subarray(0, below(bytes.length));
    const changed = Buffer.from(bytes);
    changed.write(words[below(words.length)]?.slice(0, word.length).padEnd(word.length) ?? '', at, 'latin1');
    return changed;
  },
  // What was there before, once more behind the end.
  (bytes, below) => Buffer.concat([bytes, bytes.subarray(below(bytes.length))]),
];

it('changed files are answered, each in less than a second of the processor, and nothing better is said of them than before', {
  timeout: 900_000,
}, async () => {
  const files = originals();
  const answers = await Promise.all(files.map(({ bytes }) => describeBytes(bytes, undefined, known)));
  const before = answers.map(({ verdict }) => rankOf(verdict));
  expect(before).toEqual([2, 1, 1, 1, 0]);
  expect(answers[3]?.signatures.map(({ trust }) => trust?.by)).toEqual(['organisation', 'organisation']);
  const [count, seed] = [atLength({ short: 600, ci: 1_500, all: 20_000 }), 7];
  const below = numbersFrom(seed);
  const wrong: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const which = below(files.length);
    const kind = below(mutations.length);
    const { bytes, ends } = files[which] ?? { bytes: Buffer.alloc(0), ends: [] };
    const mutated = mutations[kind]?.(bytes, below) ?? bytes;
    // Cut at the end of a revision it is an honest file, without what followed.
    if (
      ends.some(
        (end) => Math.abs(end - mutated.length) <= 2 && bytes.subarray(0, end - 2).equals(mutated.subarray(0, end - 2)),
      )
    )
      continue;
    const { value: answer, ms } = await inProcessorTime(() =>
      describeBytes(mutated, undefined, known).catch((error: unknown) => String(error)),
    );
    const name = `change ${n} (file ${which}, kind ${kind})`;
    if (typeof answer === 'string') wrong.push(`${name}: ${answer}`);
    else if (rankOf(answer.verdict) > (before[which] ?? 0)) wrong.push(`${name}: ${answer.verdict}`);
    else if (answer.signatures.some(({ integrity, trust }) => integrity !== 'intact' && trust?.by))
      wrong.push(`${name}: the signer is said to be known`);
    if (ms > 1_000) wrong.push(`${name}: too long`);
  }
  expect(wrong).toEqual([]);
});
