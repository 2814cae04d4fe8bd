import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { Audit } from '../../../contract/audits.ts';
import type { ReportProgress, VerifyRun } from '../../../contract/verify.ts';
import { ask, askValue, listen } from '../../bridge/client.ts';
import { emptySnapshot, followRun, type ResultFilter, type RunReader, type RunSnapshot } from './verify-reader.ts';

const runsAtOnce = 20;

/** Follows a run as long as the caller is there. `lookAt` says which places of the list are in sight. */
export function useRunSnapshot(runId: string, filter: ResultFilter) {
  const [sight, setSight] = useState<RunSnapshot>(emptySnapshot);
  const reader = useRef<RunReader | null>(null);
  const inSight = useRef({ first: 0, last: 0 });
  const { group, change } = filter;
  useEffect(() => {
    // The counters stay while another filter is being read.
    setSight((before) => ({ ...emptySnapshot, run: before.run?.runId === runId ? before.run : null }));
    const following = followRun(
      { ask, listen },
      runId,
      { ...(group ? { group } : {}), ...(change ? { change } : {}) },
      () => setSight((before) => ({ ...following.sight(), run: following.sight().run ?? before.run })),
    );
    following.lookAt(inSight.current.first, inSight.current.last);
    reader.current = following;
    return () => {
      following.stop();
      reader.current = null;
    };
  }, [runId, group, change]);
  const lookAt = useCallback((first: number, last: number) => {
    inSight.current = { first, last };
    reader.current?.lookAt(first, last);
  }, []);
  const readAgain = useCallback(() => reader.current?.readAgain(), []);
  return { sight, lookAt, readAgain };
}

/** The kept runs, the newest first; those that go on are shown as they are now. */
export function useRuns() {
  const client = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: ['verify-runs'],
    queryFn: ({ pageParam }) => askValue('verify.runs', { offset: pageParam, limit: runsAtOnce }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const have = pages.reduce((sum, page) => sum + page.runs.length, 0);
      return have < last.total && last.runs.length > 0 ? have : null;
    },
  });
  useEffect(
    () => listen('verify.runsChanged', () => void client.invalidateQueries({ queryKey: ['verify-runs'] })),
    [client],
  );
  const now = useRunsNow();
  const runs = query.data?.pages.flatMap((page) => page.runs).map((run) => now.get(run.runId) ?? run);
  return { runs: runs ?? null, query };
}

/** Runs of which something was told, as they were told last. */
function useRunsNow(): ReadonlyMap<string, VerifyRun> {
  const [told, tell] = useReducer(
    (before: ReadonlyMap<string, VerifyRun>, run: VerifyRun) => new Map(before).set(run.runId, run),
    new Map<string, VerifyRun>(),
  );
  useEffect(() => listen('verify.progressed', ({ run }) => tell(run)), []);
  return told;
}

/** The watched folders with their last runs as they are now. */
export function useAudits() {
  const client = useQueryClient();
  const query = useQuery({ queryKey: ['audits'], queryFn: () => askValue('audits.list', {}) });
  useEffect(
    () => listen('audits.changed', (audits) => void client.setQueryData<readonly Audit[]>(['audits'], audits)),
    [client],
  );
  const now = useRunsNow();
  const audits = query.data?.map((audit) => {
    const last = audit.lastRun && (now.get(audit.lastRun.runId) ?? audit.lastRun);
    return { ...audit, lastRun: last };
  });
  return { audits: audits ?? null, query };
}

/** The three answers about a file, read again when one of them changes. */
export function useFileHistory(runId: string, index: number) {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['verify-story', runId, index],
    queryFn: () => askValue('verify.history', { runId, index }),
  });
  useEffect(() => {
    const again = () => void client.invalidateQueries({ queryKey: ['verify-story', runId, index] });
    const stops = [
      listen('verify.progressed', ({ run, results }) => {
        if (run.runId === runId && results.some((result) => result.index === index)) again();
      }),
      listen('verify.compared', (told) => {
        if (told.runId === runId && told.index === index) again();
      }),
      listen('answers.changed', again),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, runId, index]);
  return query;
}

/** Reports of a run that are being written or were, in the order in which they were asked for. */
export function useReports(runId: string) {
  const [reports, tell] = useReducer(withReport, []);
  useEffect(() => listen('verify.reportProgressed', (report) => tell({ kind: 'told', report })), []);
  return {
    reports: reports.filter((report) => report.runId === runId),
    add: (report: ReportProgress) => tell({ kind: 'begun', report }),
    forget: (reportId: string) => tell({ kind: 'forgotten', reportId }),
  };
}

type ReportTold =
  | { readonly kind: 'told' | 'begun'; readonly report: ReportProgress }
  | { readonly kind: 'forgotten'; readonly reportId: string };

/** What was told of a report is newer than the answer that began it, in whichever order they come. */
function withReport(before: readonly ReportProgress[], told: ReportTold): readonly ReportProgress[] {
  if (told.kind === 'forgotten') return before.filter((report) => report.reportId !== told.reportId);
  const known = before.some((report) => report.reportId === told.report.reportId);
  if (!known) return [...before, told.report];
  if (told.kind === 'begun') return before;
  return before.map((report) => (report.reportId === told.report.reportId ? told.report : report));
}
