import { useQuery } from '@tanstack/react-query';
import { askValue } from '../../bridge/client.ts';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useToday } from '../../parts/today.ts';

/** What waits and what happened on the current connection; read again with the requests. */
export function useHome() {
  const { id: connectionId } = useCurrentConnection();
  const day = new Date(useToday());
  const today = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
  return useQuery({
    queryKey: ['tracked', connectionId, 'home', today],
    queryFn: () => askValue('home.summary', { connectionId, today, isHere: document.hasFocus() }),
  });
}
