import { useEffect, useRef } from 'react';
import { ask, listen } from '../bridge/client.ts';
import { useLive } from '../bridge/live.tsx';
import { useGo } from '../parts/navigation.tsx';

/** Shows the entry of a clicked notification on its own connection, even if the click came before this window. */
export function useWantedEntry(): void {
  const go = useGo();
  const { currentId } = useLive().connections;
  const current = useRef(currentId);
  useEffect(() => {
    current.current = currentId;
  });
  useEffect(() => {
    // The entry is always taken, even if the event contains it; otherwise it would be opened again later.
    const open = async () => {
      const taken = await ask('tracking.takeWanted', {});
      const wanted = taken.ok ? taken.value : null;
      if (!wanted) return;
      if (wanted.connectionId !== current.current) await ask('connections.use', { id: wanted.connectionId });
      const { entryId, request } = wanted;
      go({
        screen: 'signatures',
        ...(entryId !== null ? { entryId } : request !== null ? { request } : { changedOnly: true }),
        ...(wanted.listType === null ? {} : { listType: wanted.listType }),
      });
    };
    void open();
    return listen('tracking.entryWanted', () => void open());
  }, [go]);
}
