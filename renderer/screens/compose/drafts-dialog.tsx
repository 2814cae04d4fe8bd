import { useTranslation } from 'react-i18next';
import { isCorrectable } from '../../../contract/corrections.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useRemoval } from '../../features/removal.ts';
import { useDrafts } from '../../features/signature-queries.ts';
import { UndoStrip } from '../../features/undo-strip.tsx';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { useFormat } from '../../parts/format.ts';
import { jobTones } from '../../parts/job-tones.ts';
import { useGo } from '../../parts/navigation.tsx';
import css from './compose.module.css';

/** Saved requests that were not sent. */
export function DraftsDialog(props: { readonly connectionId: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const drafts = useDrafts(props.connectionId);
  const remove = useRemoval('drafts.remove');
  const failure = drafts.error?.failure ?? remove.failure;
  return (
    <Dialog title={t('compose.drafts')} onClose={props.onClose}>
      {failure ? <FailureView failure={failure} /> : null}
      {drafts.data?.length === 0 ? <p>{t('compose.noDrafts')}</p> : null}
      <ul className={css.list} aria-label={t('compose.drafts')}>
        {(drafts.data ?? []).map((draft) => {
          const title = draft.title || t('compose.untitled');
          const isUnderWay = draft.job !== null && !isCorrectable(draft.job.state);
          return (
            <li key={draft.id} className={css.item}>
              <div>
                <strong>{title}</strong>
                {[
                  t(`compose.kinds.${draft.kind}`),
                  t('compose.people', { count: draft.recipientCount }),
                  format.moment(draft.updatedAt),
                ].join(' · ')}
              </div>
              {draft.job ? <Chip {...jobTones[draft.job.state]}>{t(`jobs.state.${draft.job.state}`)}</Chip> : null}
              <Button
                of={title}
                isDisabled={isUnderWay}
                onPress={() => {
                  props.onClose();
                  go({ screen: 'compose', draftId: draft.id });
                }}
              >
                {t('compose.resume')}
              </Button>
              <Button
                kind="quiet"
                of={title}
                isDisabled={isUnderWay}
                onPress={() => void remove.run({ id: draft.id }, title)}
              >
                {t('common.remove')}
              </Button>
            </li>
          );
        })}
      </ul>
      <UndoStrip />
    </Dialog>
  );
}
