import type { Envelope } from '../../contract/failure.ts';
import type { FileToken } from '../../contract/files.ts';

/** All channels between preload and main process. No other channel has a listener. */
export const channels = {
  /** invoke: (name, input) → Envelope. All calls of a window. */
  call: 'sealdesk:call',
  /** send to the window: (name, value). All events for a window. */
  event: 'sealdesk:event',
  /** send from the window: it receives events from now on. */
  listening: 'sealdesk:listening',
  /** invoke: (TakeStep) → TakeAnswer. Used by the preload only: turns a dropped file into a token. */
  take: 'sealdesk:take',
} as const;

/** Size of one piece of a file without a path, in bytes. */
export const chunkBytes = 1024 * 1024;

export type TakeStep =
  | { readonly step: 'path'; readonly path: string }
  | { readonly step: 'open'; readonly name: string }
  | { readonly step: 'bytes'; readonly id: string; readonly bytes: Uint8Array }
  | { readonly step: 'end'; readonly id: string }
  | { readonly step: 'drop'; readonly id: string };

/** `path` and `end` return the token, `open` the stream's id, the other steps null. */
export type TakeAnswer = Envelope<FileToken | string | null>;
