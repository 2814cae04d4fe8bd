import { z } from 'zod';
import { call } from './call.ts';
import { localId } from './text.ts';

/** A file to look at: one of a verification, or one of an intake. */
const file = z.discriminatedUnion('of', [
  z.strictObject({ of: z.literal('run'), runId: localId, index: z.int().min(0) }),
  z.strictObject({ of: z.literal('intake'), intakeId: localId, index: z.int().min(0) }),
]);

/** The file of a call about looking at it. */
export type PreviewFile = z.input<typeof file>;

/** A look at a PDF that was opened. Only the desktop has a place for it. */
export interface Preview {
  /** Names the bytes at the viewer's own address, for this look only: gone when it is closed, with the fifth look after it, and with the program. */
  readonly token: string;
  readonly name: string;
  readonly sizeBytes: number;
}

export const preview = {
  /** Rejects with file-unreadable where the file is gone or no PDF, with not-found where run or intake are. */
  'preview.open': call(z.strictObject({ file })).answers<Preview>(),
  'preview.close': call(z.strictObject({ token: localId })).answers<null>(),
  /** In the program that the system has for PDF. Rejects as `preview.open` does: nothing else is handed to another program. */
  'preview.openOutside': call(z.strictObject({ file })).answers<null>(),
  /** Shows any file in the file manager. */
  'preview.showInFolder': call(z.strictObject({ file })).answers<null>(),
};
