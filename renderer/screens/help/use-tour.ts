import { useEffect, useState } from 'react';
import { listen } from '../../bridge/client.ts';
import { useCurrentConnection, useLive } from '../../bridge/live.tsx';
import { useTasks } from '../../bridge/tasks.tsx';
import { useSelection } from '../../features/files/selection.tsx';

export const tourSteps = ['files', 'register', 'verify', 'done'] as const;
export type TourStep = (typeof tourSteps)[number];

/** A tour in progress. It watches what the person does and sends nothing by itself. */
export interface Tour {
  /** `connection`: another connection than the practice service is in use; no step goes on there. */
  readonly step: TourStep | 'connection';
  readonly practiceId: string;
  /** The connection that was in use before; null if it was the practice service. */
  readonly before: { readonly id: string; readonly name: string } | null;
  /** Tokens of the files that were selected last: the ones to verify. */
  readonly files: readonly string[];
  readonly skip: () => void;
}

/** Follows the steps of the tour: files selected, a document registered, a file confirmed, all on the practice connection. */
export function useTour(): Tour {
  const { connections } = useLive().connections;
  const current = useCurrentConnection();
  const [before] = useState(current.kind === 'practice' ? null : { id: current.id, name: current.name });
  const practiceId = connections.find(({ kind }) => kind === 'practice')?.id ?? '';
  const [reached, setReached] = useState(0);
  const step = tourSteps[reached] ?? 'done';
  const skip = () => setReached((at) => Math.min(at + 1, tourSteps.length - 1));

  const { tokens } = useSelection();
  const [files, setFiles] = useState<readonly string[]>([]);
  useEffect(() => {
    if (tokens.length > 0) setFiles(tokens.map(({ token }) => token));
  }, [tokens]);
  const isRegistered = useRegistered(practiceId);
  const isConfirmed = useConfirmed(practiceId);

  const isDone = { files: tokens.length > 0, register: isRegistered, verify: isConfirmed, done: false }[step];
  const isInPractice = current.id === practiceId;
  // Named by its step: the next one may be done already.
  const doneStep = isDone && isInPractice ? step : null;
  useEffect(() => {
    if (doneStep !== null) setReached((at) => at + 1);
  }, [doneStep]);
  return { step: isInPractice ? step : 'connection', practiceId, before, files, skip };
}

/** True once a document was registered with the practice service since the tour began. */
function useRegistered(practiceId: string): boolean {
  const [isRegistered, setRegistered] = useState(false);
  useEffect(
    () =>
      listen('jobs.changed', ({ jobs }) => {
        const mine = jobs.filter(
          ({ connectionId, operation }) => connectionId === practiceId && operation === 'AddNewDocument',
        );
        if (mine.some(({ state }) => state === 'done')) setRegistered(true);
      }),
    [practiceId],
  );
  return isRegistered;
}

/** True once a verification with the practice service, begun during the tour, confirmed a file. */
function useConfirmed(practiceId: string): boolean {
  const tasks = useTasks('verification');
  const [earlier] = useState(() => new Set(tasks.map(({ taskId }) => taskId)));
  return tasks.some(({ taskId, progress: { run } }) => {
    const { connectionId, counts } = run;
    const confirmed = counts.confirmed + counts['confirmed-with-remark'];
    return !earlier.has(taskId) && connectionId === practiceId && confirmed > 0;
  });
}
