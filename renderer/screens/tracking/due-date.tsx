import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackedEntry } from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import panel from '../../parts/panel.module.css';

/** A person's own reminder, kept on this computer only. */
export function DueDatePart(props: {
  readonly connectionId: string;
  readonly documentId: string;
  readonly entry: TrackedEntry;
}) {
  const { documentId, entry } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const set = useCall('tracking.setDue');
  const [date, setDate] = useState<string | null>(entry.due?.date ?? null);
  const [note, setNote] = useState(entry.due?.note ?? '');
  const run = (day: string | null) =>
    void set
      .run({ connectionId: props.connectionId, documentId, date: day, note: day === null ? '' : note })
      .then(() => client.invalidateQueries({ queryKey: ['tracked', props.connectionId] }));
  return (
    <>
      <h3>{t('tracking.due')}</h3>
      <p className={panel.hint}>
        {entry.due
          ? t('tracking.dueOn', { date: format.date(entry.due.date), note: entry.due.note })
          : t('tracking.dueText')}
      </p>
      <DayField label={t('tracking.dueDay')} value={date} onChange={setDate} />
      <TextField label={t('tracking.dueNote')} value={note} onChange={setNote} maxLength={500} />
      <div className={panel.row}>
        <Button isDisabled={date === null} isPending={set.busy} onPress={() => run(date)}>
          {t('tracking.remindMe')}
        </Button>
        {entry.due ? (
          <Button
            kind="quiet"
            onPress={() => {
              setDate(null);
              setNote('');
              run(null);
            }}
          >
            {t('tracking.noReminder')}
          </Button>
        ) : null}
      </div>
      {set.failure ? <FailureView failure={set.failure} /> : null}
    </>
  );
}
