import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { useLive } from '../../renderer/bridge/live.tsx';
import { peer } from './harness/core-peer.ts';
import { connection, showScreen } from './harness/show.tsx';

function Known() {
  const { connections, info } = useLive();
  return <p>{`${connections.connections.map(({ name }) => name).join(', ')}; ${info.version}`}</p>;
}

it('an event that comes while the first answer is under way is newer than that answer', async () => {
  const office = { ...connection, id: 'office', name: 'Office' };
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  showScreen(<Known />);
  const state = { connections: [connection], health: {}, currentId: connection.id, offeredId: null };
  peer.answer({
    'connections.state': async () => {
      await asked;
      return state;
    },
  });
  await expect.poll(() => peer.asked('connections.state').length).toBe(1);
  peer.send('connections.changed', { ...state, connections: [connection, office] });
  answer();
  await expect.element(page.getByText('Practice, Office; 0.0.0')).toBeVisible();
});
