import { open } from 'node:fs/promises';
import type { Store } from './account-store.ts';
import { type Answer, type Arguments, Refusal, type Service } from './operation-call.ts';
import { inspectPdf } from './pdf-file.ts';
import type { ReceivedDocument } from './wire/document-sink.ts';

/**
 * The exact texts of ValidateDocument. A program's table of answers has to sort them:
 *   Valid                              the document as it was registered, or the sealed copy of it
 *   Invalid - changed after registration   carries this service's seal, or is a registered file but for a few bytes
 *   Invalid - not registered here      anything else that is a PDF
 * Besides, as codes: -123 nothing sent, -156 empty, -143 too large, -150 not a PDF.
 */
export const validateAnswers = {
  valid: 'Valid',
  changed: 'Invalid - changed after registration',
  unknown: 'Invalid - not registered here',
} as const;

const comparedFiles = 20;
const readBytes = 256 * 1024;

export async function validateDocument(service: Service, args: Arguments): Promise<Answer> {
  const received = args.document('ServiceDocument');
  if (!received) throw new Refusal(-123);
  if (received.sizeBytes === 0) throw new Refusal(-156);
  if (received.tooLarge) throw new Refusal(-143);
  return { kind: 'text', text: await verdictOn(service, received) };
}

async function verdictOn({ store, seals }: Service, received: ReceivedDocument): Promise<string> {
  if (store.knowsHash(received.sha256)) return validateAnswers.valid;
  const seal = await seals.find(received.path, received.sizeBytes);
  if (seal && store.document(seal.documentId)) return validateAnswers.changed;
  if (await resemblesRegistered(store, received)) return validateAnswers.changed;
  const facts = await inspectPdf(received.path, received.sizeBytes);
  if (facts.kind === 'not-pdf') throw new Refusal(-150);
  return validateAnswers.unknown;
}

/** True if a file has the size of a registered one and all but a few of its bytes: only then a changed file differs from an unknown one. */
async function resemblesRegistered(store: Store, received: ReceivedDocument): Promise<boolean> {
  const sameSize = [...store.documents()]
    .filter((document) => document.sizeBytes === received.sizeBytes || document.sealedBytes === received.sizeBytes)
    .slice(-comparedFiles);
  for (const document of sameSize)
    if (await isMostlyEqual(received.path, store.documentPath(document.id), received.sizeBytes)) return true;
  return false;
}

async function isMostlyEqual(path: string, otherPath: string, sizeBytes: number): Promise<boolean> {
  const [file, other] = await Promise.all([open(path, 'r'), open(otherPath, 'r')]);
  const [a, b] = [Buffer.allocUnsafe(readBytes), Buffer.allocUnsafe(readBytes)];
  const allowed = Math.max(16, Math.floor(sizeBytes / 64));
  let different = 0;
  try {
    for (let at = 0; at < sizeBytes && different <= allowed; at += readBytes) {
      const length = Math.min(readBytes, sizeBytes - at);
      await Promise.all([file.read(a, 0, length, at), other.read(b, 0, length, at)]);
      if (a.compare(b, 0, length, 0, length) === 0) continue;
      for (let byte = 0; byte < length; byte++) if (a[byte] !== b[byte]) different++;
    }
    return different <= allowed;
  } finally {
    await Promise.all([file.close(), other.close()]);
  }
}
