import { useCallback, useEffect, useState } from 'react';
import type { DoctorReport, DoctorStep } from '../../../contract/connections.ts';
import { listen } from '../../bridge/client.ts';
import { useCall } from '../../bridge/use-call.ts';

/** Checks a connection, with its steps as they happen. `check` resolves with the report; null if it could not be made. */
export function useDoctor(id: string | null) {
  const { run, busy, failure } = useCall('connections.doctor');
  const [steps, setSteps] = useState<readonly DoctorStep[]>([]);
  const [report, setReport] = useState<DoctorReport | null>(null);
  useEffect(
    () =>
      listen('connections.doctorProgressed', (progress) => {
        if (progress.id === id) setSteps(progress.steps);
      }),
    [id],
  );
  const check = useCallback(
    async (which: string): Promise<DoctorReport | null> => {
      setSteps([]);
      setReport(null);
      const ended = await run({ id: which });
      if (!ended.ok) return null;
      setSteps(ended.value.steps);
      setReport(ended.value);
      return ended.value;
    },
    [run],
  );
  return { steps, report, busy, failure, check } as const;
}
