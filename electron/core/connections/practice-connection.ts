import { type ConnectionSettings, connectionSettings } from '../../../contract/connections.ts';
import type { RunningPractice } from '../foundation/ports.ts';

/** Id of the connection that is always there. */
export const practiceId = 'practice';

/** Where it stands while it does not run: nothing listens there, and nothing is sent there. */
const asleep = {
  baseUrl: 'http://127.0.0.1',
  mainPath: '/service.asmx',
  easySignPath: '/easysign/v2/easysign.asmx',
  namespaceUri: 'https://practice.example/',
};

/**
 * The practice connection's settings: what the person changed (`own`) where that can be changed, and the address of
 * the service while it runs.
 */
export function practiceSettings(
  own: ConnectionSettings | undefined,
  running: RunningPractice | null,
): ConnectionSettings {
  const basis = own ?? connectionSettings.parse({ name: 'Practice service', ...asleep });
  const { baseUrl, mainPath, easySignPath, namespaceUri } = running ?? asleep;
  // Its elements are spelled as the interface spells them, whatever was set.
  return { ...basis, baseUrl, mainPath, easySignPath, namespaceUri, elementNames: {}, proxy: { mode: 'none' } };
}
