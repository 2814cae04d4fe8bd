import type { HandlersOf } from '../../../contract/index.ts';
import type { Audits } from './audits.ts';

/** Calls about audits: remembered folders that are verified repeatedly. */
export function auditCalls(audits: Audits): HandlersOf<'audits'> {
  return {
    'audits.list': async () => audits.list(),
    'audits.add': ({ connectionId, token, everyMinutes }) => audits.add(connectionId, token, everyMinutes),
    'audits.plan': async ({ auditId, everyMinutes }) => audits.plan(auditId, everyMinutes),
    'audits.remove': async ({ auditId }) => {
      audits.remove(auditId);
      return null;
    },
    'audits.estimate': ({ auditId, ask }) => audits.estimate(auditId, ask),
    'audits.run': ({ auditId, ask }) => audits.run(auditId, ask),
  };
}
