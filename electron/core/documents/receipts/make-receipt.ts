import type { DocumentRow } from '../../../../contract/documents.ts';
import type { JobStep } from '../../../../contract/jobs.ts';
import type { Receipt } from '../../../../contract/receipts.ts';
import type { StoredJob } from '../../../store/jobs/job-rows.ts';
import type { Context } from '../../context.ts';
import { appError } from '../../foundation/app-error.ts';
import { receiptNature, sealReceipt } from './receipt-format.ts';

/** What was last found in a file with these bytes. */
export type Examined = (sha256: string) => Receipt['ownVerdict'];

/** Makes a receipt from what was recorded while the document was sent. Throws not-found, and bad-input for a document that was not sent from here. */
export function makeReceipt({ store, ports }: Context, examined: Examined, connectionId: string, documentId: string) {
  const row = store.documents.byDocumentId(connectionId, documentId);
  if (!row) throw appError('not-found', 'no such document in the register');
  const job = row.jobId === null ? null : store.jobs.get(row.jobId);
  if (!job) throw appError('bad-input', 'this document was not sent from here: there is nothing to write a receipt of');
  const story = store.jobs.history(job.id);
  const statuses = store.documents.statusHistory(connectionId, documentId);
  return sealReceipt({
    kind: 'sealdesk-custody-receipt',
    formatVersion: 2,
    nature: receiptNature,
    file: { name: row.fileName, sizeBytes: row.sizeBytes, sha256: row.sha256 },
    document: {
      id: row.documentId,
      name: row.name,
      description: row.description,
      clientReference: row.clientId,
    },
    request: { operation: job.operation, fields: fieldsOf(job) },
    times: timesOf(job, row, story),
    answer: { raw: job.raw, isAcceptedByPerson: matchedAt(story) !== null },
    ownVerdict: row.sha256 === null ? null : examined(row.sha256),
    statuses: statuses.map(({ raw, firstAskedAt, lastAskedAt }) => ({ raw, from: firstAskedAt, to: lastAskedAt })),
    connection: connectionOf(job),
    program: {
      sentBy: job.departure?.program ?? null,
      writtenBy: ports.version,
      writtenAt: new Date().toISOString(),
    },
  });
}

function fieldsOf({ args }: StoredJob): Record<string, string> {
  const definedArgs = Object.entries(args).filter(([, value]) => value !== undefined);
  return Object.fromEntries(definedArgs.map(([name, value]) => [name, String(value)]));
}

const matchedAt = (story: readonly JobStep[]) => story.findLast(({ kind }) => kind === 'accepted')?.at ?? null;

/** A job that was sent several times has several steps of each kind: the last ones belong to the answer. */
function timesOf(job: StoredJob, row: DocumentRow, story: readonly JobStep[]): Receipt['times'] {
  const matched = matchedAt(story);
  return {
    taken: job.createdAt,
    departed: job.departedAt,
    answerBegan: job.answerBeganAt,
    // The answer that a person settled later was never seen.
    answered: matched !== null ? null : (story.findLast(({ kind }) => kind === 'done')?.at ?? row.registeredAt),
    matched,
  };
}

function connectionOf({ departure }: StoredJob): Receipt['connection'] {
  if (!departure) return null;
  const { connection, certificateFingerprint, certificateIssuer } = departure;
  return { ...connection, certificateFingerprint, certificateIssuer };
}
