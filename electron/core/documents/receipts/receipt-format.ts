import { createHash } from 'node:crypto';
import { z } from 'zod';
import { lazyObject } from '../../../../contract/call.ts';
import { changeKinds, fileVerdicts, type PdfSignatures } from '../../../../contract/pdf-signatures.ts';
import type { Receipt } from '../../../../contract/receipts.ts';

/** The statement in every receipt about its nature. */
export const receiptNature =
  "Written by Sealdesk on the computer that sent the document. It is our own record, not a certificate of the service; times are of that computer's clock.";

const text = z.string().max(2_000_000);
const orNull = <T extends z.core.$ZodType>(schema: T) => z.nullable(schema);

const pages = z.array(z.int().min(1)).max(100_000);

const trust = lazyObject(() => ({
  by: orNull(z.enum(['organisation', 'list'])),
  list: orNull(z.strictObject({ name: text, date: orNull(text) })),
  validity: z.enum(['valid', 'expired', 'not-yet-valid', 'unproven']),
  revocation: z.enum(['good', 'revoked', 'revoked-later', 'not-checked']),
  revocationAt: orNull(text),
  provenTime: orNull(text),
  reason: orNull(text),
}));

const pdfSignature = lazyObject(() => ({
  field: text,
  integrity: z.enum(['intact', 'broken', 'undecidable']),
  covers: orNull(z.enum(['whole', 'revision', 'unclear'])),
  laterChanges: orNull(z.enum([...changeKinds, 'undecidable'])),
  docMdp: orNull(
    z.strictObject({ level: z.union([z.literal(1), z.literal(2), z.literal(3)]), violated: orNull(z.boolean()) }),
  ),
  algorithm: orNull(text),
  level: orNull(z.enum(['timestamp', 'PKCS7', 'B-B', 'B-T', 'B-LT', 'B-LTA', 'other'])),
  signer: orNull(text),
  emails: z.array(text).max(100_000),
  statedName: orNull(text),
  claimedTime: orNull(text),
  timestamp: orNull(text),
  weak: z.array(z.enum(['sha1', 'short-key'])).max(100),
  reason: orNull(text),
  coversTo: orNull(z.int().min(0)),
  changedPages: pages,
  trust: orNull(trust),
}));

/** All that may be found: a new key there needs a new version of the receipt. */
const pdfSignatures: z.ZodType<PdfSignatures> = lazyObject(() => ({
  verdict: z.enum(fileVerdicts),
  reason: orNull(text),
  revisions: orNull(z.int().min(0)),
  signatures: z.array(pdfSignature).max(1000),
  changedPages: pages,
  needsPassword: z.boolean(),
}));

const shared = () => ({
  kind: z.literal('sealdesk-custody-receipt'),
  nature: text,
  file: z.strictObject({ name: orNull(text), sizeBytes: orNull(z.int().min(0)), sha256: orNull(text) }),
  document: z.strictObject({ id: text, name: text, description: text, clientReference: text }),
  request: z.strictObject({ operation: text, fields: z.record(text, text) }),
  times: z.strictObject({
    taken: text,
    departed: orNull(text),
    answerBegan: orNull(text),
    answered: orNull(text),
    matched: orNull(text),
  }),
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

/** Schema for an untrusted file. Unknown keys are refused because the checksum would not cover them. */
const receipt = z.lazy(() =>
  z.discriminatedUnion('formatVersion', [
    z.strictObject({ ...shared(), formatVersion: z.literal(1) }),
    z.strictObject({
      ...shared(),
      formatVersion: z.literal(2),
      ownVerdict: orNull(z.strictObject({ examinedAt: text, signatures: pdfSignatures })),
    }),
  ]),
);

/** Parses a receipt from untrusted text; null if it is not a receipt. */
export function parseReceipt(json: string): Receipt | null {
  try {
    const parsed = receipt.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Adds the checksum. */
export function sealReceipt(open: Omit<Receipt, 'checksum'>): Receipt {
  return { ...open, checksum: checksumOf(open) };
}

/** True if the checksum fits the content. */
export function isIntact({ checksum, ...open }: Receipt): boolean {
  return checksum === checksumOf(open);
}

function checksumOf(open: Omit<Receipt, 'checksum'>): string {
  return createHash('sha256').update(canonical(open)).digest('hex');
}

/** JSON with sorted keys and without spaces: equal values always give the same text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${pairs.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`;
}
