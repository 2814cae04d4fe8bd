import { randomBytes } from 'node:crypto';
import type { Preview, PreviewFile, ShownFile } from '../../../contract/files.ts';
import type { StoredFile } from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import { stampOf } from '../files/file-stamp.ts';
import { headBytes, looksLikePdf } from '../files/inspect-file.ts';
import { assertFile, openFile } from '../files/open-file.ts';
import { appError, orNotFound } from '../foundation/app-error.ts';
import { toReadError } from '../foundation/fs-errors.ts';
import { storedSignaturesOf } from './stored-signatures.ts';
import { statOf, statVerified } from './verify-file.ts';

/** Number of previews open at the same time; the oldest are closed first. */
const maxOpen = 5;

/** The file behind a token. */
export interface PreviewedFile {
  readonly path: string;
  /** Nothing behind it is given out: of a revision its end, else the size of the file. */
  readonly sizeBytes: number;
}

/** Files that are being previewed. Kept in memory only: no preview survives a restart. */
export type Previews = ReturnType<typeof createPreviews>;

export function createPreviews({ files, store }: Pick<Context, 'files' | 'store'>) {
  const looks = new Map<string, PreviewedFile & { readonly stamp: string }>();

  const verified = ({ runId, index }: { readonly runId: string; readonly index: number }): StoredFile => {
    const run = store.verifyRuns.get(runId);
    return orNotFound(run && store.verifyFiles.inRun(run, index), 'no such file in this verification');
  };
  const found = async (file: ShownFile): Promise<{ readonly path: string; readonly name: string }> => {
    if (file.of === 'token') return files.file(file.token);
    if (file.of === 'intake') {
      return orNotFound((await files.intake(file.intakeId))[file.index], 'no such file in this intake');
    }
    const row = verified(file);
    if (file.of === 'revision') assertEnd(row, file.end);
    return row;
  };
  const pdf = async (file: ShownFile) => {
    const { path, name } = await found(file);
    return { path, name, ...(await assertPdf(path)) };
  };

  return {
    open: async (file: ShownFile): Promise<Preview> => {
      const { path, name, stamp, ...whole } = await pdf(file);
      if (file.of === 'revision') await statVerified(verified(file));
      const sizeBytes = file.of === 'revision' ? file.end : whole.sizeBytes;
      const token = randomBytes(24).toString('base64url');
      looks.set(token, { path, sizeBytes, stamp });
      const oldest = looks.keys().next().value;
      if (looks.size > maxOpen && oldest !== undefined) looks.delete(oldest);
      return { token, name, sizeBytes };
    },
    close: (token: string): void => void looks.delete(token),
    /** For a host's own viewer. Null if the token is not known, or the file was replaced since it was opened. */
    file: async (token: string): Promise<PreviewedFile | null> => {
      const preview = looks.get(token);
      if (!preview) return null;
      const now = await fileState(preview.path).catch(() => null);
      return now?.stamp === preview.stamp ? { path: preview.path, sizeBytes: preview.sizeBytes } : null;
    },
    /** The path of a file whose content was checked to be a PDF. */
    pdfPath: async (file: PreviewFile): Promise<string> => (await pdf(file)).path,
    path: async (file: PreviewFile): Promise<string> => {
      const { path } = await found(file);
      await fileState(path);
      return path;
    },
  };
}

/** Where a revision of a verified file ends: what a signature covers, or the whole file. Throws not-found. */
function assertEnd(row: StoredFile, end: number): void {
  const signatures = storedSignaturesOf(row)?.answer?.signatures ?? [];
  if (![row.size_bytes, ...signatures.map(({ coversTo }) => coversTo)].includes(end))
    throw appError('not-found', 'no revision of this file ends there');
}

async function fileState(path: string): Promise<{ readonly sizeBytes: number; readonly stamp: string }> {
  const status = await statOf(path);
  assertFile(status);
  return { sizeBytes: Number(status.size), stamp: `${stampOf(status)} ${status.ino}` };
}

/** Checks the first bytes, not the name. */
async function assertPdf(path: string) {
  const status = await fileState(path);
  const head = Buffer.alloc(headBytes);
  try {
    const file = await openFile(path);
    const { bytesRead } = await file.read(head, 0, headBytes, 0).finally(() => file.close());
    if (looksLikePdf(head.subarray(0, bytesRead))) return status;
  } catch (error) {
    throw toReadError(error);
  }
  throw appError('file-unreadable', 'the file is no PDF', { detail: 'file-not-pdf' });
}
