import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { VerdictGroup } from '../../contract/answers.ts';
import { builtInMeaning } from '../../locales/answer-meaning.ts';
import { FailureView } from '../bridge/failure-view.tsx';
import { useCall } from '../bridge/use-call.ts';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { TextField } from '../parts/field.tsx';
import { Dialog } from '../parts/overlays/dialog.tsx';

/** What a word can be sorted as: a group, or a group with a built-in meaning, which gives it the same heading as the built-in words. */
const sorts = [
  'confirmed',
  'confirmed-with-remark',
  'changed',
  'unknown',
  'not-confirmed',
  'unclear',
  'no-answer',
] as const;
type Sort = (typeof sorts)[number];

function sortedAs(sort: Sort, ownMeaning: string): { readonly group: VerdictGroup; readonly meaning: string } {
  return sort === 'changed' || sort === 'unknown'
    ? { group: 'not-confirmed', meaning: builtInMeaning(sort) }
    : { group: sort, meaning: ownMeaning.trim() };
}

/** Assigns a meaning to words that have none. */
export function SortAnswer(props: { readonly word: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [sort, setSort] = useState<Sort>('unclear');
  const [meaning, setMeaning] = useState('');
  const call = useCall('answers.sort');
  const save = async () => {
    const sorted = await call.run({ kind: 'verdict', word: props.word, ...sortedAs(sort, meaning) });
    if (sorted.ok) props.onClose();
  };
  return (
    <Dialog
      title={t('verify.sortTitle')}
      onClose={props.onClose}
      confirm={
        <Button kind="primary" isPending={call.busy} onPress={() => void save()}>
          {t('verify.sortSave')}
        </Button>
      }
    >
      <p>{t('verify.sortText', { word: props.word })}</p>
      <Choice
        label={t('verify.sortGroup')}
        value={sort}
        onChange={setSort}
        choices={sorts.map((key) => ({ key, text: t(`verify.sortGroups.${key}`) }))}
      />
      {sort === 'changed' || sort === 'unknown' ? null : (
        <TextField
          label={t('verify.sortMeaning')}
          help={t('verify.sortMeaningHelp')}
          value={meaning}
          onChange={setMeaning}
          maxLength={500}
        />
      )}
      {call.failure ? <FailureView failure={call.failure} /> : null}
    </Dialog>
  );
}
