import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { type Arguments, Refusal, type Service } from './operation-call.ts';
import { inspectPdf, type PdfFacts } from './pdf-file.ts';
import type { Account, Credits, SignRequest, StoredDocument } from './records.ts';
import type { ReceivedDocument } from './wire/document-sink.ts';

/** Throws -123 without a document, -156 empty, -143 too large, -150 not a PDF, -145 encrypted, -155 a PDF without its end. */
export async function requirePdf(
  received: ReceivedDocument | null,
): Promise<{ received: ReceivedDocument; facts: PdfFacts }> {
  if (!received) throw new Refusal(-123);
  if (received.sizeBytes === 0) throw new Refusal(-156);
  if (received.tooLarge) throw new Refusal(-143);
  const facts = await inspectPdf(received.path, received.sizeBytes);
  if (facts.kind === 'not-pdf') throw new Refusal(-150);
  if (facts.kind === 'encrypted') throw new Refusal(-145);
  if (facts.kind === 'damaged') throw new Refusal(-155);
  return { received, facts };
}

export interface Registration {
  readonly account: Account;
  readonly operation: string;
  readonly args: Arguments;
  readonly received: ReceivedDocument;
  readonly facts: PdfFacts;
  readonly cost: Partial<Credits>;
  readonly request: SignRequest | null;
  readonly signedCopyOf?: string;
}

/** Seals the file, charges the credits and records the document, in this order. Resolves with the new document's ID. */
export async function register(service: Service, registration: Registration): Promise<string> {
  const { store, seals, settings } = service;
  const { account, received, facts, args, cost } = registration;
  const room = settings.limits.accountBytes - store.usedBytes(account.id);
  if (received.sizeBytes > room) throw new Refusal(-182);
  requireCredits(account, cost);
  const id = randomUUID().toUpperCase();
  const { sha256, sizeBytes } = received;
  const sealed = await seals.append(received.path, { documentId: id, sha256 }, received.hash, sizeBytes, facts);
  await rename(received.path, store.documentPath(id));
  const document: StoredDocument = {
    id,
    ownerId: account.id,
    operation: registration.operation,
    name: args.optional('DocumentName'),
    description: args.optional('Description'),
    clientId: args.optional('ClientID'),
    pages: facts.pages,
    sha256,
    sizeBytes,
    sealedSha256: sealed.sha256,
    sealedBytes: sizeBytes + sealed.bytes,
    createdMs: Date.now(),
    request: registration.request,
    signedCopyOf: registration.signedCopyOf ?? null,
  };
  try {
    // Checked again: another request may have spent the last credit while the file was sealed.
    requireCredits(store.accounts.get(account.id) ?? account, cost);
    await store.record({ event: 'document', document, cost });
  } catch (error) {
    await rm(store.documentPath(id), { force: true });
    throw error;
  }
  return id;
}

/** Cost by the creditType of an add: 1 document credits, 2 prepaid credits, 3 subscription; throws -130 for another one. */
export function costOf(creditType: number, account: Account, withSignatures: boolean): Partial<Credits> {
  const signatures = withSignatures ? { eSign: 1 } : {};
  if (creditType === 1) return { document: 1, ...signatures };
  if (creditType === 2) {
    if (account.permissions.prepaidLocked) throw new Refusal(-142);
    return { prepaid: withSignatures ? 2 : 1, ...signatures };
  }
  if (creditType !== 3) throw new Refusal(-130);
  const { subscription } = account.permissions;
  if (subscription !== 'active') throw new Refusal({ none: -180, ended: -181, disabled: -183 }[subscription]);
  return signatures;
}

/** Throws the code of the first missing credit: -140, -141, -160, -185, -172, -192. */
export function requireCredits(account: Account, cost: Partial<Credits>): void {
  const missing = (name: keyof Credits) => (cost[name] ?? 0) > account.credits[name];
  if (missing('document')) throw new Refusal(-140);
  if (missing('prepaid')) throw new Refusal(cost.prepaid === 2 ? -160 : -141);
  if (missing('eSign')) throw new Refusal(-185);
  if (missing('note')) throw new Refusal(-172);
  if (missing('idVerify')) throw new Refusal(-192);
}
