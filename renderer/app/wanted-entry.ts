import { useEffect } from 'react';
import type { WantedEntry } from '../../contract/tracking.ts';
import { ask, listen } from '../bridge/door.ts';
import { useLive } from '../bridge/live.tsx';
import { useGo } from '../parts/navigation.tsx';

/** A notification was clicked, also before this window was there: shows the entry, on its own connection. */
export function useWantedEntry(): void {
  const go = useGo();
  const { currentId } = useLive().connections;
  useEffect(() => {
    const open = async (wanted: WantedEntry) => {
      if (wanted.connectionId !== currentId) await ask('connections.use', { id: wanted.connectionId });
      go({
        screen: 'signatures',
        ...(wanted.entryId === null ? { changedOnly: true } : { entryId: wanted.entryId }),
        ...(wanted.listType === null ? {} : { listType: wanted.listType }),
      });
    };
    void ask('tracking.takeWanted', {}).then((taken) => (taken.ok && taken.value ? open(taken.value) : undefined));
    return listen('tracking.entryWanted', (wanted) => void open(wanted));
  }, [go, currentId]);
}
