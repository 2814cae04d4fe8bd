import { randomUUID } from 'node:crypto';
import { type Behaviour, recordingService } from '../../harness/recording-service.ts';

export const fileOf = (d: number) => `${d}.pdf`;

/** A service that keeps each add until the trace says what becomes of it. */
export async function patientService() {
  /** Adds on their way, by program and document. */
  const gone = new Map<string, (end: Behaviour) => void>();
  const ids = new Map<string, string>();
  const service = await recordingService((_operation, { children }) => {
    const { ClientID: file = '', Description: program = '' } = Object.fromEntries(children);
    return new Promise((resolve) => gone.set(`${program} ${file}`, resolve));
  });
  const end = (p: number, d: number, how: Behaviour) => {
    const key = `${p} ${fileOf(d)}`;
    gone.get(key)?.(how);
    gone.delete(key);
  };
  const take = (p: number, d: number) => {
    const id = randomUUID();
    ids.set(`${p} ${fileOf(d)}`, id);
    return id;
  };
  return {
    service,
    isGone: (p: number, d: number) => gone.has(`${p} ${fileOf(d)}`),
    idsOf: (d: number) => [...ids].flatMap(([key, id]) => (key.endsWith(` ${fileOf(d)}`) ? [id] : [])),
    has: (p: number, d: number) => ids.has(`${p} ${fileOf(d)}`),
    end,
    take,
  };
}
