import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Receipt } from '../../../../contract/receipts.ts';

/** What is written in every receipt, in words. */
export const receiptNature =
  "Written by Sealdesk on the computer that sent the document. It is our own record, not a certificate of the service; times are of that computer's clock.";

const text = z.string().max(2_000_000);
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable();

/** Of an untrusted file. Unknown keys are refused: the checksum would not know them. */
const receipt = z.strictObject({
  kind: z.literal('sealdesk-custody-receipt'),
  formatVersion: z.literal(1),
  nature: text,
  file: z.strictObject({ name: orNull(text), sizeBytes: orNull(z.int().min(0)), sha256: orNull(text) }),
  document: z.strictObject({ id: text, name: text, description: text, clientReference: text }),
  request: z.strictObject({ operation: text, fields: z.record(text, text) }),
  times: z.strictObject({ taken: text, departed: orNull(text), answerBegan: orNull(text), answered: orNull(text) }),
  answer: z.strictObject({ raw: orNull(text), isAcceptedByPerson: z.boolean() }),
  statuses: z.array(z.strictObject({ raw: orNull(text), from: text, to: text })).max(100_000),
  connection: orNull(
    z.strictObject({
      name: text,
      address: text,
      namespaceUri: text,
      soapVersion: text,
      certificateFingerprint: orNull(text),
      certificateIssuer: orNull(text),
    }),
  ),
  program: z.strictObject({ sentBy: orNull(text), writtenBy: text, writtenAt: text }),
  checksum: text,
});

/** A receipt in text that may be anything; null where it is none. */
export function parseReceipt(json: string): Receipt | null {
  try {
    const parsed = receipt.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** With its checksum. */
export function sealReceipt(open: Omit<Receipt, 'checksum'>): Receipt {
  return { ...open, checksum: checksumOf(open) };
}

/** Whether it is as it was written. */
export function isIntact({ checksum, ...open }: Receipt): boolean {
  return checksum === checksumOf(open);
}

function checksumOf(open: Omit<Receipt, 'checksum'>): string {
  return createHash('sha256').update(canonical(open)).digest('hex');
}

/** JSON with sorted keys and without space: the same value always is the same text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${pairs.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`;
}
