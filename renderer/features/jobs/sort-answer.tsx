import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type StatusGroup, statusGroups, type WordVerdict, wordVerdicts } from '../../../contract/answers.ts';
import type { CallInput } from '../../../contract/index.ts';
import { builtInMeaning, meaningKeyOf } from '../../../locales/answer-meaning.ts';
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
  readonly group: StatusGroup | WordVerdict | null;
  readonly meaning: string;
}

/** A verdict that has no meaning yet. */
export const unsorted = (word: string): SortedThing => ({ kind: 'verdict', word, group: null, meaning: '' });

/** Verdicts that are not confirmed with a built-in meaning, which gives a word the same headline as the built-in words. */
const builtIn = ['changed', 'unknown'] as const;
type Sort = StatusGroup | WordVerdict | (typeof builtIn)[number];

const choices: Readonly<Record<SortedThing['kind'], readonly Sort[]>> = {
  status: statusGroups.filter((one) => one !== 'not-sorted'),
  verdict: wordVerdicts.options.flatMap((one) => (one === 'not-confirmed' ? [...builtIn, one] : [one])),
};

/** What `answers.sort` is asked for; null where no group of the kind is chosen. */
function assignmentOf({ kind, word, group, meaning }: SortedThing): CallInput<'answers.sort'> | null {
  const verdict = wordVerdicts.options.find((one) => one === group);
  const status = statusGroups.find((one) => one === group);
  if (kind === 'verdict' && verdict) return { kind, word, group: verdict, meaning };
  return kind === 'status' && status && status !== 'not-sorted' ? { kind, word, group: status, meaning } : null;
}

/** Assigns a meaning to a word. */
export function SortAnswer(props: { readonly thing: SortedThing; readonly onClose: () => void }) {
  const { thing } = props;
  const { kind, word } = thing;
  const { t } = useTranslation();
  const sort = useCall('answers.sort');
  const [choice, setChoice] = useState<Sort | null>(
    builtIn.find((one) => one === meaningKeyOf(thing.meaning)) ?? thing.group,
  );
  const [meaning, setMeaning] = useState(thing.meaning);

  async function sortNow() {
    const given = assignmentOf(
      choice === 'changed' || choice === 'unknown'
        ? { kind, word, group: 'not-confirmed', meaning: builtInMeaning(choice) }
        : { kind, word, group: choice, meaning: meaning.trim() },
    );
    if (given && (await sort.run(given)).ok) props.onClose();
  }

  return (
    <Dialog
      title={t('answers.sortTitle', { word })}
      onClose={props.onClose}
      confirm={
        <Button kind="primary" isDisabled={choice === null} isPending={sort.busy} onPress={() => void sortNow()}>
          {t('answers.sortConfirm')}
        </Button>
      }
    >
      <p>{t('answers.sortText')}</p>
      <Choice
        label={t('answers.group')}
        placeholder={t('answers.chooseGroup')}
        value={choice === 'not-sorted' ? null : choice}
        onChange={setChoice}
        choices={choices[kind].map((one) => ({ key: one, text: t(`answers.groups.${one}`) }))}
      />
      {choice === 'changed' || choice === 'unknown' ? null : (
        <TextField
          label={t('answers.meaning')}
          help={t('answers.meaningHelp')}
          value={meaning}
          onChange={setMeaning}
          maxLength={500}
        />
      )}
      {sort.failure ? <FailureView failure={sort.failure} /> : null}
    </Dialog>
  );
}
