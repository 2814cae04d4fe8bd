import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PdfSignature } from '../../contract/pdf-signatures.ts';
import type { FileAnswer } from '../../electron/core/verify/pdf-signatures/answer/file-answer.ts';
import { describeBytes } from '../harness/describe-bytes.ts';

/** Signed PDFs of others with known answers. They stay where they are: most have licences of their own. */
const folder = resolve(import.meta.dirname, '../../../shared/corpora/pdf-signatures');
export const hasCorpus = existsSync(join(folder, 'expected.tsv'));

/** A line of expected.tsv; a field `*` speaks of the file alone. In a cell `a|b` either is right, `-` is not compared. */
export interface Expected {
  readonly verdict: string;
  readonly field: string;
  readonly cells: Readonly<Record<string, string>>;
}

/** By the name of the file, in the order of the table. */
export function readExpected(): ReadonlyMap<string, readonly Expected[]> {
  const [head = '', ...lines] = readFileSync(join(folder, 'expected.tsv'), 'utf8').trimEnd().split('\n');
  const names = head.split('\t');
  const files = new Map<string, Expected[]>();
  for (const line of lines) {
    const cells = Object.fromEntries(line.split('\t').map((cell, at) => [names[at] ?? '', cell]));
    const { file = '', verdict = '', field = '' } = cells;
    files.set(file, [...(files.get(file) ?? []), { verdict, field, cells }]);
  }
  return files;
}

export const pathOf = (file: string) => join(folder, file);

export function describeFileOf(file: string): Promise<FileAnswer> {
  return describeBytes(readFileSync(pathOf(file)));
}

const compared = ['integrity', 'covers', 'coversTo', 'laterChanges', 'docMdp', 'algorithm', 'level', 'signer'] as const;
const times = ['claimedTime', 'timestamp'] as const;

/** What of an answer is not as expected, each as one line. */
export function deviationsIn(answer: FileAnswer, expected: readonly Expected[]): string[] {
  const verdict = expected[0]?.verdict ?? '-';
  return [
    ...(fits(verdict, answer.verdict)
      ? []
      : [`verdict ${answer.verdict} (${answer.reason ?? ''}), expected ${verdict}`]),
    ...expected.filter(({ field }) => field !== '*').flatMap((one) => deviationsOf(answer.signatures, one)),
  ];
}

function deviationsOf(signatures: readonly PdfSignature[], { field, cells }: Expected): string[] {
  const found = signatures.find((one) => one.field === field);
  if (!found) return [`${field} was not found`];
  const isOpen = found.integrity === 'undecidable';
  return [...compared, ...times].flatMap((name) => {
    const wanted = cells[name] ?? '-';
    const value = name === 'docMdp' ? certificationOf(found) : found[name];
    const isLeftOut = (isOpen && value === null) || (found.integrity === 'broken' && name === 'laterChanges');
    return isLeftOut || fits(wanted, value) ? [] : [`${field}: ${name} ${value}, expected ${wanted}`];
  });
}

function certificationOf({ docMdp }: PdfSignature): string | null {
  if (!docMdp) return null;
  const kept = docMdp.violated === null ? '-' : docMdp.violated ? 'violated' : 'kept';
  return `P${docMdp.level} ${kept}`;
}

function fits(wanted: string, value: string | number | null): boolean {
  if (wanted === '-') return true;
  return wanted
    .split('|')
    .some((one) => one === String(value) || (one === 'none' && (value === null || value === 'none')));
}

/** The published forgeries: nothing better than undecidable may be said of them. */
export const isForgery = ([first]: readonly Expected[]) => first?.cells['truth from'] === 'authors of the attack';

/** Where two answers stand, the table says why the worse one may be given. */
export const hasCause = (expected: readonly Expected[]) =>
  expected.some(({ cells }) => (cells['disagreement and judgement'] ?? '').trim() !== '');
