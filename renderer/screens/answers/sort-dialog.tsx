import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type StatusGroup, statusGroups, type VerdictGroup, verdictGroups } from '../../../contract/answers.ts';
import type { CallInput } from '../../../contract/index.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { TextField } from '../../parts/field.tsx';
import { Dialog } from '../../parts/overlays/dialog.tsx';

/** A word and its meaning, or the one it will get. */
export interface SortedThing {
  readonly kind: 'status' | 'verdict';
  readonly word: string;
  readonly group: StatusGroup | VerdictGroup | null;
  readonly meaning: string;
}

/** What `answers.sort` is asked for; null where no group of the kind is chosen. */
export function assignmentOf({ kind, word, group, meaning }: SortedThing): CallInput<'answers.sort'> | null {
  const verdict = verdictGroups.find((one) => one === group);
  const status = statusGroups.find((one) => one === group);
  if (kind === 'verdict' && verdict) return { kind, word, group: verdict, meaning };
  return kind === 'status' && status && status !== 'not-sorted' ? { kind, word, group: status, meaning } : null;
}

/** Assigns a meaning to a word. */
export function SortDialog(props: { readonly thing: SortedThing; readonly onClose: () => void }) {
  const { kind, word } = props.thing;
  const { t } = useTranslation();
  const sort = useCall('answers.sort');
  const [group, setGroup] = useState(props.thing.group);
  const [meaning, setMeaning] = useState(props.thing.meaning);
  const groups: readonly (StatusGroup | VerdictGroup)[] =
    kind === 'status' ? statusGroups.filter((one) => one !== 'not-sorted') : verdictGroups;

  async function sortNow() {
    const given = assignmentOf({ kind, word, group, meaning });
    if (given && (await sort.run(given)).ok) props.onClose();
  }

  return (
    <Dialog
      title={t('answers.sortTitle', { word })}
      onClose={props.onClose}
      confirm={
        <Button kind="primary" isDisabled={group === null} isPending={sort.busy} onPress={() => void sortNow()}>
          {t('answers.sortConfirm')}
        </Button>
      }
    >
      <p>{t('answers.sortText')}</p>
      <Choice
        label={t('answers.group')}
        placeholder={t('answers.chooseGroup')}
        value={group === 'not-sorted' ? null : group}
        onChange={setGroup}
        choices={groups.map((one) => ({ key: one, text: t(`answers.groups.${one}`) }))}
      />
      <TextField
        label={t('answers.meaning')}
        help={t('answers.meaningHelp')}
        value={meaning}
        onChange={setMeaning}
        maxLength={500}
      />
      {sort.failure ? <FailureView failure={sort.failure} /> : null}
    </Dialog>
  );
}
