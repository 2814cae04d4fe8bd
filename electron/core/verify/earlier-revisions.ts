import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { EarlierAnswer } from '../../../contract/verify-result.ts';
import { findingOf } from '../../soap/reply/answers.ts';
import type { StoredFile } from '../../store/verify/verify-rows.ts';
import { openFile } from '../files/open-file.ts';
import { safeFileName } from '../files/safe-file-name.ts';
import { chooseTarget, saveFile } from '../files/target.ts';
import { appError } from '../foundation/app-error.ts';
import { toReadError } from '../foundation/fs-errors.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';
import { originOf, resultView } from './result-view.ts';
import { toOwnVerdict } from './stored-signatures.ts';
import type { Verifications } from './verifications.ts';
import { assertSame, statOf, type VerifyContext } from './verify-file.ts';

const chunkBytes = 512 * 1024;

/** What a person does with what a file itself shows. All reject with not-found. */
export function createEarlierRevisions(context: VerifyContext, { row: find }: Pick<Verifications, 'row'>) {
  const { store, ports, answers } = context;
  const found = (runId: string, index: number) => {
    const { run, row } = find(runId, index);
    const origin = originOf(store, run, row);
    if (!origin) throw appError('not-found', 'no beginning of this file is known here');
    return { run, row, origin };
  };
  return {
    /** Saves the beginning of the file that is known here; answers the name of the file, null if the person cancelled. Rejects with file-changed. */
    save: async (runId: string, index: number): Promise<string | null> => {
      const { row, origin } = found(runId, index);
      const name = (origin.registered ?? origin.downloaded)?.name || row.name;
      const target = await chooseTarget(ports.dialogs, safeFileName(withPdf(name), row.name));
      return target && basename(await saveFile(target, beginningOf(row, origin)));
    },
    /** Asks the service about that beginning: one call. Rejects as a verification does. */
    ask: async (runId: string, index: number): Promise<EarlierAnswer> => {
      const { run, row, origin } = found(runId, index);
      const client = await context.connections.client(run.connection_id);
      // The service gets a file of exactly these bytes, as a sent file must not be longer than it says.
      const path = await context.arrivals.take(beginningOf(row, origin));
      try {
        const document = { path, sizeBytes: origin.sizeBytes, sha256: origin.sha256 };
        const { raw } = await client.invoke('ValidateDocument', { ServiceDocument: document }, {});
        const answer = answers.verdict(raw, run.connection_id);
        await retryWhileBusy(() => answers.saw('verdict', raw, run.connection_id));
        return { answer, finding: findingOf(raw, answer), raw, askedAt: new Date().toISOString() };
      } finally {
        await rm(path, { force: true }).catch(() => undefined);
      }
    },
    /** Reads the signatures with a password; false if it does not open the file. Rejects with file-changed. */
    unlock: async (runId: string, index: number, password: string): Promise<boolean> => {
      const { run, row } = find(runId, index);
      const before = await statOf(row.path);
      const answer = await context.signatures.describe(row.path, { password });
      if (answer === null || answer.needsPassword) return false;
      await assertSame(row);
      const after = await statOf(row.path);
      if (before.mtimeNs !== after.mtimeNs || before.ino !== after.ino)
        throw appError('file-changed', 'the file changed while it was read');
      store.verifyFiles.judged(row.seq, toOwnVerdict(answer));
      const now = store.verifyFiles.bySeq(row.seq) ?? row;
      context.emit('verify.answered', { runId, results: [resultView(store, run)(now)] });
      return true;
    },
  };
}

function withPdf(name: string): string {
  return extname(name).toLowerCase() === '.pdf' ? name : `${name}.pdf`;
}

/** The first bytes of a file; rejects with file-changed at their end if they are not those that were hashed. */
async function* beginningOf(
  { path }: StoredFile,
  { sizeBytes, sha256 }: { readonly sizeBytes: number; readonly sha256: string },
): AsyncGenerator<Uint8Array> {
  const file = await openFile(path).catch((error: unknown) => {
    throw toReadError(error);
  });
  try {
    const hash = createHash('sha256');
    for (let at = 0; at < sizeBytes; ) {
      const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, sizeBytes - at));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
    if (hash.digest('hex') !== sha256) throw appError('file-changed', 'the file is not any more what was verified');
  } finally {
    await file.close();
  }
}
