import { z } from 'zod';
import { call } from './call.ts';
import { localId } from './text.ts';

/** A file to preview: one that was chosen, or one from a verification or an intake. */
const file = z.lazy(() =>
  z.discriminatedUnion('of', [
    z.strictObject({ of: z.literal('token'), token: localId }),
    z.strictObject({ of: z.literal('run'), runId: localId, index: z.int().min(0) }),
    z.strictObject({ of: z.literal('intake'), intakeId: localId, index: z.int().min(0) }),
  ]),
);

/** What can be shown: a file, or a verified file from its beginning to `end`, as it was when it was verified. */
const shown = z.lazy(() =>
  z.discriminatedUnion('of', [
    ...file.unwrap().options,
    z.strictObject({ of: z.literal('revision'), runId: localId, index: z.int().min(0), end: z.int().min(1) }),
  ]),
);

/** The file in the calls about previews. */
export type PreviewFile = z.input<typeof file>;
export type ShownFile = z.input<typeof shown>;

/** An open preview of a PDF. Only the desktop can show it. */
export interface Preview {
  /**
   * Names the bytes at the viewer's own address, for this preview only: invalid when it is closed, after the fifth later preview, and when the
   * program ends.
   */
  readonly token: string;
  readonly name: string;
  readonly sizeBytes: number;
}

export const preview = {
  /**
   * Rejects with file-unreadable if the file does not exist or is no PDF, and with not-found if the token, run or intake does not exist. Of a revision also with not-found
   * if `end` is neither where a signature of the file ends what it covers, nor its size, and with file-changed if it is not any more what was verified.
   */
  'preview.open': call(() => ({ file: shown })).answers<Preview>(),
  'preview.close': call(() => ({ token: localId })).answers<null>(),
  /** Opens the file in the system's PDF program. Rejects as `preview.open` does: no other kind of file is passed to another program. */
  'preview.openOutside': call(() => ({ file })).answers<null>(),
  /** Shows any file in the file manager. */
  'preview.showInFolder': call(() => ({ file })).answers<null>(),
};
