import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DraftContent, RequestKind } from '../../../contract/compose.ts';
import { type Draft, isCorrectable } from '../../../contract/forms.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection, useCurrentConnection } from '../../bridge/live.tsx';
import { useSelection } from '../../features/files/selection.tsx';
import { draftStateOf, newDraftState } from '../../features/forms/draft-state.ts';
import { ConnectionGone } from '../../features/jobs/correct.tsx';
import { useDraftForm } from '../../features/signature-queries.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { Page } from '../../parts/page.tsx';
import { Editor } from './editor.tsx';

/** What a new request begins with. */
interface Beginning {
  readonly kind: RequestKind | null;
  readonly to?: DraftContent['recipients'][number] | null;
  readonly file: string | null;
}

/** Request signatures: a new request, or a saved draft. */
export function ComposeScreen({ draftId, ...beginning }: Beginning & { readonly draftId: string | null }) {
  return draftId ? <ResumedDraft draftId={draftId} /> : <NewRequest {...beginning} />;
}

function NewRequest(props: Beginning) {
  const { tokens } = useSelection();
  const connection = useCurrentConnection();
  // Files that were selected for something else are offered in the form, and not taken by themselves.
  const [first] = useState(() => tokens.find(({ token }) => token === props.file) ?? null);
  return (
    <Editor
      key={connection.id}
      start={newDraftState(first, { kind: props.kind, to: props.to ?? null })}
      draftId={null}
      connection={connection}
      corrects={null}
    />
  );
}

function ResumedDraft(props: { readonly draftId: string }) {
  const { t } = useTranslation();
  const go = useGo();
  const draft = useDraftForm(props.draftId);
  const toNew = <Button onPress={() => go({ screen: 'compose' })}>{t('compose.newRequest')}</Button>;
  if (draft.data && draft.isFetchedAfterMount) return <OpenedDraft draft={draft.data} toNew={toNew} />;
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

/** A draft is sent on the connection for which it was written. While it is being sent it cannot be edited. */
function OpenedDraft(props: { readonly draft: Draft; readonly toNew: ReactNode }) {
  const { draft, toNew } = props;
  const { t } = useTranslation();
  const go = useGo();
  const connection = useConnection(draft.connectionId);
  const job = draft.job;
  if (!connection) {
    return (
      <Page title={t('compose.title')}>
        <ConnectionGone>{toNew}</ConnectionGone>
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
      start={draftStateOf(draft)}
      draftId={draft.id}
      connection={connection}
      corrects={job && isCorrectable(job.state) ? { ...job, state: job.state } : null}
    />
  );
}
