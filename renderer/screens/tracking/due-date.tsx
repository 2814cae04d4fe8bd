import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DueDate } from '../../../contract/tracking.ts';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { DueDialog } from './request-dialogs.tsx';

/** A person's own reminder, kept on this computer only. */
export function DueDatePart(props: {
  readonly connectionId: string;
  readonly documentId: string;
  readonly due: DueDate | null;
}) {
  const { connectionId, documentId, due } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <h3>{t('tracking.due')}</h3>
      <p className={looks.hint}>
        {due ? t('tracking.dueOn', { date: format.date(due.date), note: due.note }) : t('tracking.dueText')}
      </p>
      <div className={looks.line}>
        <Button onPress={() => setAsked(true)}>{t('tracking.setDue')}</Button>
      </div>
      {isAsked ? (
        <DueDialog
          connectionId={connectionId}
          requests={[{ documentId, due }]}
          now={due}
          isOfTeam={false}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </>
  );
}
