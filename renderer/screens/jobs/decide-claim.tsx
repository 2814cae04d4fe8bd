import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TeamClaim } from '../../../contract/team.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { detailsQuery } from '../../bridge/queries.ts';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Form, Segments, TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { Confirm } from '../../parts/overlays/dialog.tsx';
import css from './team-activity.module.css';

interface DecisionProps {
  readonly connectionId: string;
  readonly claim: TeamClaim;
  readonly onClose: () => void;
}

/** Asks a lead before a colleague's claim whose program is gone becomes in doubt. */
export function DeclareInDoubt({ connectionId, claim, onClose }: DecisionProps) {
  const { claimId, title, by, seenAt } = claim;
  const { t } = useTranslation();
  const format = useFormat();
  const declare = useCall('team.declareInDoubt');
  const after = useAfterDecision(connectionId, onClose);
  return (
    <Confirm
      title={t('team.declareTitle', { title })}
      confirm={t('team.declareConfirm')}
      danger
      busy={declare.busy}
      onConfirm={() => void declare.run({ connectionId, claimId }).then(after)}
      onClose={onClose}
    >
      <p>{t('team.declareText', { person: by.person, when: format.momentInText(seenAt) })}</p>
      {declare.failure ? <FailureView failure={declare.failure} /> : null}
    </Confirm>
  );
}

/** A lead's decision about a claim in doubt: which document it became, or that nothing was sent. */
export function SettleClaim({ connectionId, claim, onClose }: DecisionProps) {
  const { claimId, title } = claim;
  const { t } = useTranslation();
  const settle = useCall('team.settle');
  const after = useAfterDecision(connectionId, onClose);
  const [what, setWhat] = useState<'registered' | 'nothing'>('registered');
  const [id, setId] = useState('');
  const isRegistered = what === 'registered';
  const documentId = isRegistered ? id.trim() : null;
  return (
    <Confirm
      title={t('team.settleTitle', { title })}
      confirm={t('team.settleConfirm')}
      danger={!isRegistered}
      busy={settle.busy}
      isDisabled={documentId === ''}
      onConfirm={() => void settle.run({ connectionId, claimId, documentId }).then(after)}
      onClose={onClose}
    >
      <Segments
        label={t('team.settleWhat')}
        value={what}
        onChange={setWhat}
        choices={[
          { key: 'registered', text: t('team.settleRegistered') },
          { key: 'nothing', text: t('team.settleNothing') },
        ]}
      />
      <p>{t(isRegistered ? 'team.settleRegisteredText' : 'team.settleNothingText')}</p>
      {isRegistered ? <LookUp connectionId={connectionId} id={id} onId={setId} /> : null}
      {settle.failure ? <FailureView failure={settle.failure} /> : null}
    </Confirm>
  );
}

/** The ID of a document, and what the service says about it. */
function LookUp(props: { readonly connectionId: string; readonly id: string; readonly onId: (id: string) => void }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState('');
  const found = useQuery({ ...detailsQuery(props.connectionId, asked), enabled: asked !== '' });
  const isAsked = asked !== '' && asked === props.id.trim();
  return (
    <>
      <Form className={css.lookUp} onSubmit={() => setAsked(props.id.trim())}>
        <TextField label={t('jobs.documentId')} value={props.id} onChange={props.onId} mono maxLength={200} />
        <Button type="submit" isPending={found.isFetching} isDisabled={props.id.trim() === ''}>
          {t('team.settleLookUp')}
        </Button>
      </Form>
      <div role="status">
        {isAsked && found.data ? (
          <p>
            {t('team.settleFound', {
              name: found.data.documentName ?? '–',
              created: found.data.createdDate ?? '–',
            })}
          </p>
        ) : null}
      </div>
      {isAsked && found.error ? <FailureView failure={found.error.failure} calm /> : null}
    </>
  );
}

/** Reads claims and events again after a decision, and closes its question. */
function useAfterDecision(connectionId: string, onClose: () => void) {
  const client = useQueryClient();
  return async (ended: { readonly ok: boolean }) => {
    if (!ended.ok) return;
    await client.invalidateQueries({ queryKey: ['team', 'shared', connectionId] });
    onClose();
  };
}
