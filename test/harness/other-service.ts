import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConnectionSettings } from '../../contract/connections.ts';
import { ask } from './desktop-bridge.ts';
import type { Desktop } from './electron.ts';
import { type PracticeControl, startPractice } from './practice.ts';

/** The practice service as a foreign service: outside the program, controlled by the test. */
export interface OtherService {
  readonly control: PracticeControl;
  /** Where it is, and its credentials now. */
  readonly settings: Pick<ConnectionSettings, 'baseUrl' | 'mainPath' | 'easySignPath' | 'namespaceUri'>;
  readonly credentials: { readonly apiKey: string; readonly apiSig: string };
  /** Saves it as a connection once, sets its credentials and selects it. Returns the connection's ID. */
  connect(desktop: Desktop): Promise<string>;
  /** Asks it something and waits for the answer: what was about to be sent before has come by then. */
  answers(desktop: Desktop): Promise<void>;
  /** Not there any more, as in a tunnel. */
  goAway(): Promise<void>;
  /** There again at the same address, with new credentials, which the desktop gets. */
  comeBack(desktop: Desktop): Promise<void>;
  /** The service's ID of the document with this name. */
  idOf(documentName: string): string;
  close(): Promise<void>;
}

export const otherServiceName = 'Field office';

export async function startOtherService(dataDir: string): Promise<OtherService> {
  const assetsDir = fileURLToPath(new URL('../../assets', import.meta.url));
  const options = { dataDir, assetsDir, processingMs: 50 };
  let running = await startPractice(options);
  const { baseUrl, mainPath, easySignPath, namespaceUri } = running;
  const settings = { baseUrl, mainPath, easySignPath, namespaceUri };
  const connect = async (desktop: Desktop) => {
    const { apiKey, apiSig } = running;
    const { connections } = await ask(desktop, 'connections.state', {});
    const known = connections.find((connection) => connection.name === otherServiceName);
    const given = { name: otherServiceName, ...settings };
    const id = known?.id ?? (await ask(desktop, 'connections.save', { settings: given })).id;
    await ask(desktop, 'connections.setCredentials', { id, apiKey, apiSig });
    await ask(desktop, 'connections.use', { id });
    return id;
  };
  return {
    get control() {
      return running.control;
    },
    settings,
    get credentials() {
      const { apiKey, apiSig } = running;
      return { apiKey, apiSig };
    },
    answers: async (desktop) => {
      const { currentId } = await ask(desktop, 'connections.state', {});
      await ask(desktop, 'service.testCredentials', { connectionId: currentId });
    },
    goAway: () => running.close(),
    comeBack: async (desktop) => {
      // Without credentials jobs wait; with those of the last start the service would refuse the first one.
      const { currentId } = await ask(desktop, 'connections.state', {});
      await ask(desktop, 'connections.forgetCredentials', { id: currentId });
      running = await startPractice({ ...options, port: Number(new URL(baseUrl).port) });
      await connect(desktop);
    },
    idOf: (documentName) => {
      for (const line of readFileSync(join(dataDir, 'journal.jsonl'), 'utf8').trim().split('\n')) {
        const { document } = JSON.parse(line) as { document?: { id: string; name: string } };
        if (document?.name === documentName) return document.id;
      }
      throw new Error(`the service has no document called ${documentName}`);
    },
    connect,
    close: () => running.close(),
  };
}
