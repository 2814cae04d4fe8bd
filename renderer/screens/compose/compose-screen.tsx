import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestKind } from '../../../contract/compose.ts';
import { askValue } from '../../bridge/door.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useWork } from '../../bridge/work.tsx';
import { Button } from '../../parts/button.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { Page } from '../../parts/page.tsx';
import { resumed, startingWith } from './composing.ts';
import { Editor } from './editor.tsx';

/** Request signatures: a new request, or a draft that goes on. */
export function ComposeScreen(props: { readonly draftId: string | null; readonly kind: RequestKind | null }) {
  return props.draftId ? <Resumed draftId={props.draftId} /> : <Fresh kind={props.kind} />;
}

function Fresh(props: { readonly kind: RequestKind | null }) {
  const { tokens } = useWork();
  const connection = useCurrentConnection();
  const [first] = useState(() => tokens.find((token) => !token.isFolder) ?? null);
  return (
    <Editor
      key={connection.id}
      start={startingWith(first, props.kind ?? undefined)}
      draftId={null}
      connection={connection}
    />
  );
}

function Resumed(props: { readonly draftId: string }) {
  const { t } = useTranslation();
  const go = useGo();
  const connection = useCurrentConnection();
  const draft = useQuery({
    queryKey: ['draft', props.draftId],
    queryFn: () => askValue('drafts.get', { id: props.draftId }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (draft.data) {
    return <Editor start={resumed(draft.data)} draftId={draft.data.id} connection={connection} />;
  }
  return (
    <Page title={t('compose.title')}>
      {draft.error ? (
        <FailureView failure={draft.error.failure}>
          <Button onPress={() => go({ screen: 'compose' })}>{t('compose.newRequest')}</Button>
        </FailureView>
      ) : (
        <p role="status">{t('common.loading')}</p>
      )}
    </Page>
  );
}
