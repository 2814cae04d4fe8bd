import { useQuery } from '@tanstack/react-query';
import { Activity, FileText, type LucideIcon, PenLine, Signature, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Found, FoundPerson } from '../../../contract/home.ts';
import { matchRank } from '../../../contract/text.ts';
import { askValue } from '../../bridge/client.ts';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { sentToText } from '../../features/jobs/meaning-text.ts';
import { useProgressText } from '../../features/signature-queries.ts';
import { visibleName } from '../../parts/format.ts';
import { useDebounced } from '../../parts/hooks/use-debounced.ts';
import { useGo } from '../../parts/navigation.tsx';

/** One entry of the palette. */
export interface Entry {
  readonly id: string;
  readonly text: string;
  readonly aside?: string;
  /** Other texts by which it is found. */
  readonly also?: readonly string[];
  readonly icon: LucideIcon;
  readonly act: () => void;
}

/** Typing pauses for this long before the core searches, in ms. */
const pauseMs = 80;
/** People for whom writing a new request is offered besides their requests. */
const mostNewRequests = 3;

/** People, requests and documents for a text. Until they are answered, those of the text before that still match. */
export function useFound(text: string) {
  const { id } = useCurrentConnection();
  const wanted = text.trim().slice(0, 200);
  const still = useDebounced(wanted, pauseMs);
  const query = useQuery({
    queryKey: ['find', id, still],
    queryFn: () => askValue('find.all', { connectionId: id, text: still }),
    enabled: still !== '',
    placeholderData: (before) => before,
    retry: false,
    gcTime: 10_000,
  });
  const entries = useEntries(wanted === '' ? undefined : query.data);
  const failure = query.error?.failure ?? null;
  const isAnswered = (query.isSuccess && !query.isPlaceholderData) || query.isError;
  const isCurrent = wanted === '' || (still === wanted && isAnswered);
  // Outdated rows are shown only as far as they match what was typed since.
  const fitting = (rows: readonly Entry[]) =>
    isCurrent ? rows : rows.filter((row) => matchRank(wanted, [row.text, row.aside ?? '', ...(row.also ?? [])]) > 0);
  return {
    jobs: fitting(entries.jobs),
    people: fitting(entries.people),
    newRequests: fitting(entries.newRequests),
    requests: fitting(entries.requests),
    documents: fitting(entries.documents),
    /** True if they answer the text as it is now. */
    isCurrent,
    failure: failure?.code === 'cancelled' ? null : failure,
  };
}

function useEntries(found: Found | undefined) {
  const { t } = useTranslation();
  const go = useGo();
  const progress = useProgressText();
  const people = found?.people ?? [];

  function requestsOf({ name, email }: FoundPerson): Entry {
    const text = name || email;
    const act = () => go({ screen: 'signatures', person: email });
    return { id: `person-${email}`, text, ...(name ? { aside: email } : {}), icon: UserRound, act };
  }
  function newRequestTo({ name, email }: FoundPerson): Entry {
    const act = () => go({ screen: 'compose', to: { name, email }, fresh: crypto.randomUUID() });
    const text = t('palette.newRequestTo', { who: name || email });
    return { id: `write-${email}`, text, aside: email, also: [name], icon: PenLine, act };
  }
  return {
    jobs: (found?.jobs ?? []).map(
      ({ id, batchId, title, sentTo, state }): Entry => ({
        id: `job-${id}`,
        text: visibleName(title),
        aside: [sentToText(sentTo), t(`jobs.state.${state}`)].filter(Boolean).join(' · '),
        also: [sentTo],
        icon: Activity,
        act: () => go({ screen: 'jobs', batchId, jobId: id }),
      }),
    ),
    people: people.filter(({ hasRequests }) => hasRequests).map(requestsOf),
    newRequests: people.filter(({ hasRequests }, at) => at < mostNewRequests || !hasRequests).map(newRequestTo),
    requests: (found?.requests ?? []).map(
      (request): Entry => ({
        id: `request-${request.origDocumentId ?? request.jobId ?? request.entryId ?? request.documentName}`,
        text: visibleName(request.documentName || request.origDocumentId || t('tracking.noDocument')),
        aside: progress(request),
        also: [...request.people, request.origDocumentId ?? ''],
        icon: Signature,
        act: () =>
          go({
            screen: 'signatures',
            // An entry shows one of its signers only.
            entryId: (request.origDocumentId ?? request.jobId) === null ? (request.entryId ?? undefined) : undefined,
            request: request.origDocumentId,
            job: request.jobId ?? undefined,
          }),
      }),
    ),
    documents: (found?.documents ?? []).map(
      (row): Entry => ({
        id: `document-${row.id}`,
        text: visibleName(row.name || row.key),
        aside: row.documentId ?? t('documents.noId'),
        also: [row.clientId],
        icon: FileText,
        act: () => go({ screen: 'documents', open: { connectionId: row.connectionId, documentId: row.key } }),
      }),
    ),
  };
}
