import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { Envelope, Failure } from '../contract/failure.ts';
import type { FileToken } from '../contract/files.ts';
import { channels, chunkBytes, type TakeAnswer, type TakeStep } from './shell/channels.ts';

/*
 * The page's whole access to the program. The page never sees ipcRenderer, so it can use the channels only through the functions below.
 *
 * A compromised page could: make any call of the contract (both sides still refuse calls and inputs that are not declared), so also send
 * files that the person dropped or chose in this run and spend credits on them; read tables and XML that the person gave; read the secret
 * words of listed requests, one by one; add a connection to a server of its own, without the credentials of others, and have the program
 * send there what calls may send; have an https address opened that a service answered; show where the program's data are; spool
 * invented bytes, within bounds; have the organisation's feed of updates asked, and the program restarted for an update that is ready.
 *
 * It could not: name a path (`take` asks the browser engine for the path of a real File, and a File made by a script has none); read a
 * file that the person did not give; read back an API key or a signature, or have them sent to another server than the one that they
 * were entered for; reach a network itself (no connection is allowed to the page); open a window; or have anything opened that the core
 * did not check. Each of these is tried in test/e2e/electron-taken-over-page.test.ts and electron-lockdown.test.ts.
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

/** Subscribes to events. The first subscription makes the main process deliver files that arrived before it (from the command line). */
function onEvent(listener: (name: string, value: unknown) => void): () => void {
  const onMessage = (_event: unknown, name: string, value: unknown) => listener(name, value);
  ipcRenderer.on(channels.event, onMessage);
  ipcRenderer.send(channels.listening);
  return () => void ipcRenderer.off(channels.event, onMessage);
}

/** Turns a dropped, pasted or chosen File into a token. Never rejects. */
async function take(file: File): Promise<Envelope<FileToken>> {
  try {
    if (!(file instanceof File)) return bug('not a File');
    const path = webUtils.getPathForFile(file);
    const answer = path ? await step({ step: 'path', path }) : await takeBytes(file);
    // The steps `path` and `end` answer a token: see TakeAnswer.
    return answer as Envelope<FileToken>;
  } catch {
    return bug('the file could not be handed over');
  }
}

/** Mail clients and pages give files without a path: their bytes are sent chunk by chunk, each after the last was accepted. */
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
    // The source went away in the middle (a mail client that closed): the bytes spooled so far must be removed.
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
