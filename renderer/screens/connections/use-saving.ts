import { useState } from 'react';
import type { Connection } from '../../../contract/connections.ts';
import { useCall } from '../../bridge/use-call.ts';
import { accessOf, type TypedAccess } from './access-fields.tsx';
import { useDoctor } from './check-result.tsx';
import { type ConnectionDraft, draftOf, newDraft, settingsOf } from './connection-draft.ts';
import type { TypedCredentials } from './credentials-part.tsx';
import type { Sheet, useAddress } from './use-address.ts';

interface Input {
  readonly connection: Connection | null;
  readonly sheet: Sheet;
  readonly address: ReturnType<typeof useAddress>;
}

/** Saves a sheet: first reads the address, then saves; the connection is checked and used after that. */
export function useSaving({ connection, sheet, address }: Input) {
  const [saved, setSaved] = useState<Connection | null>(null);
  const [waiting, setWaiting] = useState(false);
  const [tried, setTried] = useState<ConnectionDraft | null>(null);
  const save = useCall('connections.save');
  const use = useCall('connections.use');
  const id = saved?.id ?? connection?.id ?? null;
  const doctor = useDoctor(id);

  /** Resolves with the saved connection; null if something has to be mended first. */
  async function saveNow(typed: TypedCredentials, access: TypedAccess): Promise<Connection | null> {
    setWaiting(true);
    const isRead = await address.take();
    setWaiting(false);
    if (!isRead) return null;
    const draft = sheet.latest();
    setTried(draft);
    const ended = await save.run({
      ...(id === null ? {} : { id }),
      settings: { ...settingsOf(draft), name: draft.name.trim() || hostOf(draft.baseUrl) },
      ...(typed.apiKey === '' && typed.apiSig === '' ? {} : { credentials: typed }),
      ...(connection?.kind === 'practice' ? {} : accessOf(access, saved ?? connection, draft.proxyMode)),
    });
    if (!ended.ok) return null;
    setSaved(ended.value);
    sheet.change(() => draftOf(ended.value));
    return ended.value;
  }

  const failure = save.failure ?? use.failure;
  const takeIntoUse = (which: string) => use.run({ id: which });
  return { saved, tried, saveNow, takeIntoUse, busy: waiting || save.busy || use.busy, failure, doctor } as const;
}

/** The name of a connection without one. Empty if there is no address yet, which the core reports. */
export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) && baseUrl !== newDraft.baseUrl ? new URL(baseUrl).host : '';
}
