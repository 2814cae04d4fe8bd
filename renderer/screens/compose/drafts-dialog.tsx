import { useTranslation } from 'react-i18next';
import { isCorrectable } from '../../../contract/corrections.ts';
import { useFormChanges } from '../../features/forms/stored-forms.ts';
import { useForms } from '../../features/signature-queries.ts';
import { Chip } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import { jobTones } from '../../parts/job-tones.ts';
import { useGo } from '../../parts/navigation.tsx';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { StoredList } from './stored-list.tsx';

/** Saved requests that were not sent. */
export function DraftsDialog(props: { readonly connectionId: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const drafts = useForms('draft', props.connectionId);
  const { remove } = useFormChanges();
  const resume = (draftId: string) => {
    props.onClose();
    go({ screen: 'compose', draftId });
  };
  return (
    <Dialog wide title={t('compose.drafts')} onClose={props.onClose}>
      {drafts.data?.length === 0 ? <p>{t('compose.noDrafts')}</p> : null}
      <StoredList
        label={t('compose.drafts')}
        failure={drafts.error?.failure ?? remove.failure}
        items={(drafts.data ?? []).map(({ id, job, kind, ...draft }) => {
          const name = draft.name || t('compose.untitled');
          const people = t('compose.people', { count: draft.recipientCount });
          return {
            key: id,
            name,
            about: [t(`compose.kinds.${kind}`), people, format.moment(draft.updatedAt)].join(' · '),
            chip: job ? <Chip {...jobTones[job.state]}>{t(`jobs.state.${job.state}`)}</Chip> : null,
            isLocked: job !== null && !isCorrectable(job.state),
            actions: [{ text: t('compose.resume'), isMain: true, run: () => resume(id) }],
            onRemove: () => void remove.run({ id }, name),
          };
        })}
      />
    </Dialog>
  );
}
