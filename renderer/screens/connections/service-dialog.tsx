import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { Technical } from '../../parts/problem.tsx';

/** The answers of GetVersion and GetSchedule as they came, and GetAuthToken as a test of the credentials. */
export function ServiceDialog(props: { readonly connection: Connection; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { id: connectionId, name } = props.connection;
  return (
    <Dialog title={t('service.title', { name })} onClose={props.onClose}>
      <p>{t('service.text')}</p>
      <ServiceReply what="version" connectionId={connectionId} />
      <ServiceReply what="schedule" connectionId={connectionId} />
      <Credentials connectionId={connectionId} />
    </Dialog>
  );
}

function ServiceReply(props: { readonly what: 'version' | 'schedule'; readonly connectionId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { what, connectionId } = props;
  const reply = useQuery({
    queryKey: ['service', what, connectionId],
    queryFn: () => askValue(`service.${what}`, { connectionId }),
    gcTime: 0,
  });
  return (
    <section className={`${looks.stack1} ${looks.small}`} aria-label={t(`service.${what}`)}>
      <div className={looks.line}>
        <h3>{t(`service.${what}`)}</h3>
        {reply.data ? <span>{t('documents.asOf', { time: format.momentInText(reply.data.askedAt) })}</span> : null}
        <Button kind="quiet" isPending={reply.isFetching} onPress={() => void reply.refetch()}>
          {t('service.askAgain')}
        </Button>
      </div>
      {reply.isPending ? <p role="status">{t('service.testing')}</p> : null}
      {reply.error ? <FailureView failure={reply.error.failure} calm /> : null}
      {reply.data ? <Technical text={reply.data.raw ?? t('common.noAnswerText')} /> : null}
    </section>
  );
}

function Credentials(props: { readonly connectionId: string }) {
  const { t } = useTranslation();
  const test = useCall('service.testCredentials');
  const [accepted, setAccepted] = useState(false);
  return (
    <section className={`${looks.stack1} ${looks.small}`} aria-label={t('service.credentials')}>
      <div className={looks.line} role="status">
        <h3>{t('service.credentials')}</h3>
        {accepted ? <Chip tone="confirmed">{t('service.accepted')}</Chip> : null}
        <Button
          kind="quiet"
          isPending={test.busy}
          onPress={() => void test.run({ connectionId: props.connectionId }).then((end) => setAccepted(end.ok))}
        >
          {t('service.testCredentials')}
        </Button>
      </div>
      {test.failure ? <FailureView failure={test.failure} /> : null}
    </section>
  );
}
