import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Draft, RequestKind } from '../../../contract/compose.ts';
import { isCorrectable } from '../../../contract/corrections.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection, useCurrentConnection } from '../../bridge/live.tsx';
import { useSelection } from '../../features/work.tsx';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { Page } from '../../parts/page.tsx';
import { resumed, startingWith } from './composing.ts';
import { Editor } from './editor.tsx';

/** Request signatures: a new request, or a draft that goes on. */
export function ComposeScreen(props: { readonly draftId: string | null; readonly kind: RequestKind | null }) {
  return props.draftId ? <Resumed draftId={props.draftId} /> : <Fresh kind={props.kind} />;
}

function Fresh(props: { readonly kind: RequestKind | null }) {
  const { tokens } = useSelection();
  const connection = useCurrentConnection();
  const [first] = useState(() => tokens.find((token) => !token.isFolder) ?? null);
  return (
    <Editor
      key={connection.id}
      start={startingWith(first, props.kind ?? undefined)}
      draftId={null}
      connection={connection}
      corrects={null}
    />
  );
}

function Resumed(props: { readonly draftId: string }) {
  const { t } = useTranslation();
  const go = useGo();
  const draft = useQuery({
    queryKey: ['draft', props.draftId],
    queryFn: () => askValue('drafts.get', { id: props.draftId }),
    staleTime: Number.POSITIVE_INFINITY,
    // Whatever was read of it before, it may have been changed or sent since.
    refetchOnMount: 'always',
    gcTime: 0,
  });
  const toNew = <Button onPress={() => go({ screen: 'compose' })}>{t('compose.newRequest')}</Button>;
  if (draft.data && draft.isFetchedAfterMount) return <Opened draft={draft.data} toNew={toNew} />;
  return (
    <Page title={t('compose.title')}>
      {draft.error ? (
        <FailureView failure={draft.error.failure}>{toNew}</FailureView>
      ) : (
        <p role="status">{t('common.loading')}</p>
      )}
    </Page>
  );
}

/** A draft goes to the connection that it was written for. While it is being sent there is nothing to write. */
function Opened(props: { readonly draft: Draft; readonly toNew: ReactNode }) {
  const { draft, toNew } = props;
  const { t } = useTranslation();
  const go = useGo();
  const connection = useConnection(draft.connectionId);
  const job = draft.job;
  if (!connection) {
    return (
      <Page title={t('compose.title')}>
        <Empty kind="nothing-yet" heading={t('corrections.connectionGone')} text={t('corrections.connectionGoneText')}>
          {toNew}
        </Empty>
      </Page>
    );
  }
  if (job && !isCorrectable(job.state)) {
    return (
      <Page title={t('compose.title')}>
        <Empty kind="nothing-yet" heading={t('corrections.underWay')} text={t('corrections.underWayText')}>
          <Button kind="primary" onPress={() => go({ screen: 'jobs' })}>
            {t('compose.showInActivity')}
          </Button>
          {toNew}
        </Empty>
      </Page>
    );
  }
  return (
    <Editor
      start={resumed(draft)}
      draftId={draft.id}
      connection={connection}
      corrects={job && isCorrectable(job.state) ? { state: job.state, failure: job.failure } : null}
    />
  );
}
