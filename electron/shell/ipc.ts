import { ipcMain, type WebContents } from 'electron';
import type { Envelope } from '../../contract/failure.ts';
import type { FileToken } from '../../contract/files.ts';
import type { EventName, EventValue } from '../../contract/index.ts';
import type { Core } from '../core/core.ts';
import { type AppError, appError, failureOf } from '../core/foundation/app-error.ts';
import type { Log } from '../core/foundation/ports.ts';
import { unexpectedFailure } from '../core/foundation/unexpected.ts';
import { type ByteStreams, createByteStreams } from './byte-streams.ts';
import { channels } from './channels.ts';
import { isTrustedSender } from './trusted-url.ts';

/** Paths and names longer than any file system or mail client allows are refused unread. */
const longestText = 32_768;

/**
 * Registers the IPC channels between window and core: what comes before the core is there waits for it. The sender is
 * checked here, on every channel; the input is checked in the core (calls) and in `takeStep` (files). Returns a function
 * that aborts the file transfers in progress.
 */
export function registerIpc(
  opening: Promise<Core>,
  log: Log,
  onListening: (page: WebContents, core: Core) => void,
): () => void {
  const streams = createByteStreams(async (name, bytes) => (await opening).acceptStream(name, bytes));

  // `name` and `input` may be anything: the core checks both, and its `call` never rejects.
  ipcMain.handle(channels.call, async (event, name: string, input: unknown): Promise<Envelope<unknown>> => {
    if (!isTrustedSender(event.senderFrame)) return { ok: false, failure: untrustedSender().failure };
    return (await opening).call(name, input);
  });

  ipcMain.handle(channels.take, (event, step: unknown) =>
    toEnvelope<FileToken | string | null>(log, async () => {
      if (!isTrustedSender(event.senderFrame)) throw untrustedSender();
      return takeStep(await opening, streams, step);
    }),
  );

  ipcMain.on(channels.listening, (event) => {
    if (!isTrustedSender(event.senderFrame)) return;
    opening.then(
      (core) => onListening(event.sender, core),
      // The program ends, and says why.
      () => undefined,
    );
  });
  return streams.dropAll;
}

/** Sends one event of the desktop itself to a window. */
export function publishTo<N extends EventName>(page: WebContents, name: N, value: EventValue<N>): void {
  if (!page.isDestroyed()) page.send(channels.event, name, value);
}

/** Forwards the core's events to a window until the returned function is called. */
export function forwardEvents(core: Core, page: WebContents): () => void {
  return core.onEvent((name, value) => {
    if (!page.isDestroyed()) page.send(channels.event, name, value);
  });
}

/** Checks and runs one step of the file channel. Checked by hand: bytes do not fit a schema made for JSON. */
async function takeStep(core: Core, streams: ByteStreams, input: unknown): Promise<FileToken | string | null> {
  if (typeof input !== 'object' || input === null) throw appError('bad-input', 'a step is an object');
  const step = new Map(Object.entries(input));
  switch (step.get('step')) {
    case 'path':
      return core.acceptPath(textOf(step.get('path')));
    case 'open':
      return streams.open(textOf(step.get('name')));
    case 'bytes':
      await streams.push(textOf(step.get('id')), bytesOf(step.get('bytes')));
      return null;
    case 'end':
      return streams.end(textOf(step.get('id')));
    case 'drop':
      streams.drop(textOf(step.get('id')));
      return null;
    default:
      throw appError('bad-input', 'no such step');
  }
}

function textOf(value: unknown): string {
  if (typeof value !== 'string' || value.length > longestText) throw appError('bad-input', 'text expected');
  return value;
}

function bytesOf(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw appError('bad-input', 'bytes expected');
  return value;
}

function untrustedSender(): AppError {
  return appError('bad-input', 'refused: not the program’s own page');
}

/** Converts a result or an error to an envelope, because nothing may reject across IPC. */
async function toEnvelope<T>(log: Log, work: () => Promise<T>): Promise<Envelope<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, failure: failureOf(error) ?? unexpectedFailure(error, { channel: channels.take }, log) };
  }
}
