import { useQuery } from '@tanstack/react-query';
import { askValue } from '../../bridge/client.ts';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { dayBefore, useToday } from '../../parts/today.ts';

/** What waits and what happened on the current connection; read again with the requests. */
export function useHome() {
  const { id: connectionId } = useCurrentConnection();
  useToday();
  const today = dayBefore(0);
  return useQuery({
    queryKey: ['tracked', connectionId, 'home', today],
    queryFn: () => askValue('home.summary', { connectionId, today, isHere: document.hasFocus() }),
  });
}
