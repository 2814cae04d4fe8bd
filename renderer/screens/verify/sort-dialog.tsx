import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type VerdictGroup, verdictGroups } from '../../../contract/answer.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';

/** Assigns a meaning to words that have none. */
export function SortDialog(props: { readonly word: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [group, setGroup] = useState<VerdictGroup>('unclear');
  const [meaning, setMeaning] = useState('');
  const sort = useCall('answers.sort');
  const save = async () => {
    const sorted = await sort.run({ kind: 'verdict', word: props.word, group, meaning: meaning.trim() });
    if (sorted.ok) props.onClose();
  };
  return (
    <Dialog
      title={t('verify.sortTitle')}
      onClose={props.onClose}
      actions={
        <>
          <Button onPress={props.onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" isPending={sort.busy} onPress={() => void save()}>
            {t('verify.sortSave')}
          </Button>
        </>
      }
    >
      <p>{t('verify.sortText', { word: props.word })}</p>
      <Choice
        label={t('verify.sortGroup')}
        value={group}
        onChange={setGroup}
        choices={verdictGroups.map((key) => ({ key, text: t(`verify.sortGroups.${key}`) }))}
      />
      <TextField
        label={t('verify.sortMeaning')}
        help={t('verify.sortMeaningHelp')}
        value={meaning}
        onChange={setMeaning}
        maxLength={500}
      />
      {sort.failure ? <FailureView failure={sort.failure} /> : null}
    </Dialog>
  );
}
