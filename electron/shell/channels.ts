import type { Envelope } from '../../contract/failure.ts';
import type { FileToken } from '../../contract/files.ts';

/** All names that exist between preload and main process. Nothing else is listened to. */
export const channels = {
  /** invoke: (name, input) → Envelope. Everything a window may ask. */
  call: 'sealdesk:call',
  /** send to the window: (name, value). Everything it is told. */
  event: 'sealdesk:event',
  /** send from the window: it listens from now on. */
  listening: 'sealdesk:listening',
  /** invoke: (TakeStep) → TakeAnswer. Only the preload speaks here: a dropped file becomes a token. */
  take: 'sealdesk:take',
} as const;

/** Bytes of one piece of a file without a path. */
export const chunkBytes = 1024 * 1024;

export type TakeStep =
  | { readonly step: 'path'; readonly path: string }
  | { readonly step: 'open'; readonly name: string }
  | { readonly step: 'bytes'; readonly id: string; readonly bytes: Uint8Array }
  | { readonly step: 'end'; readonly id: string }
  | { readonly step: 'drop'; readonly id: string };

/** `path` and `end` answer the token, `open` the stream's id, the others null. */
export type TakeAnswer = Envelope<FileToken | string | null>;
