import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { Envelope, Failure } from '../contract/failure.ts';
import type { FileToken } from '../contract/files.ts';
import { channels, chunkBytes, type TakeAnswer, type TakeStep } from './shell/channels.ts';

/*
 * All that the page gets of the program. The page never sees ipcRenderer, so it cannot use a channel in another way than below.
 *
 * Should the page be taken over, it could: make any call of the contract (both gates still hold: what is not declared, or not
 * as declared, is refused), so also send what the person has dropped in this run and spend credits with it; keep tokens of files the
 * person dropped or chose; spool bytes that it made up, within bounds. It could not: name a path (`take` asks the browser engine for the
 * path of a real File, and a File made by a script has none), read a file the person has not given, read back a secret, reach the
 * network (no connection is allowed to the page), open a window, or have anything opened that the core did not check.
 */

const bug = (note: string): { readonly ok: false; readonly failure: Failure } => ({
  ok: false,
  failure: { code: 'bug', note, retryable: false },
});

async function call(name: string, input: unknown): Promise<Envelope<unknown>> {
  try {
    return await ipcRenderer.invoke(channels.call, name, input);
  } catch {
    return bug('the call could not be handed over');
  }
}

/** Whoever listens first makes the main process hand over what arrived before (files from the command line). */
function onEvent(listener: (name: string, value: unknown) => void): () => void {
  const told = (_event: unknown, name: string, value: unknown) => listener(name, value);
  ipcRenderer.on(channels.event, told);
  ipcRenderer.send(channels.listening);
  return () => void ipcRenderer.off(channels.event, told);
}

/** Turns a dropped, pasted or chosen File into a token. Never rejects. */
async function take(file: File): Promise<Envelope<FileToken>> {
  try {
    if (!(file instanceof File)) return bug('not a File');
    const path = webUtils.getPathForFile(file);
    const answer = path ? await step({ step: 'path', path }) : await takeBytes(file);
    // `path` and `end` answer a token: see TakeAnswer.
    return answer as Envelope<FileToken>;
  } catch {
    return bug('the file could not be handed over');
  }
}

/** Mail clients and pages give files without a path: their bytes go over piece by piece, each after the last was taken. */
async function takeBytes(file: File): Promise<TakeAnswer> {
  const opened = await step({ step: 'open', name: file.name });
  if (!opened.ok) return opened;
  const id = String(opened.value);
  try {
    for (let offset = 0; offset < file.size; offset += chunkBytes) {
      const bytes = new Uint8Array(await file.slice(offset, offset + chunkBytes).arrayBuffer());
      const taken = await step({ step: 'bytes', id, bytes });
      if (!taken.ok) return taken;
    }
    return await step({ step: 'end', id });
  } catch {
    // The source went away in the middle (a mail client that closed): what was spooled must go too.
    await step({ step: 'drop', id });
    return {
      ok: false,
      failure: { code: 'file-unreadable', detail: 'file-missing', note: 'read failed', retryable: true },
    };
  }
}

function step(input: TakeStep): Promise<TakeAnswer> {
  return ipcRenderer.invoke(channels.take, input);
}

contextBridge.exposeInMainWorld('bridge', { call, onEvent, take });
