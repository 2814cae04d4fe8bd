import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListMeaning } from '../../../contract/connections.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { TextField, WholeNumberField } from '../../parts/field.tsx';
import looks from '../../parts/looks.module.css';
import { Card } from '../../parts/page.tsx';
import type { ConnectionDraft, SectionProps } from './connection-draft.ts';
import css from './connections.module.css';

const maxRows = 50;
/** As the contract's, whose schemas are not loaded into the window. */
const meanings = ['waiting', 'signed', 'none'] as const satisfies readonly ListMeaning[];

/** The service's own element names. */
export function ElementNamesSection(props: SectionProps) {
  const { draft, set, errorAt, lockedAt } = props;
  const { t } = useTranslation();
  const rows = draft.elementNames;
  const locked = lockedAt('elementNames');
  const change = (index: number, part: Partial<(typeof rows)[number]>) =>
    set({ elementNames: rows.map((row, at) => (at === index ? { ...row, ...part } : row)) });
  return (
    <Rows
      title={t('connections.sectionNames')}
      text={t('connections.elementNamesText')}
      heads={[t('connections.elementKey'), t('connections.elementValue')]}
      locked={locked}
      count={rows.length}
      onAdd={() => set({ elementNames: [...rows, { key: '', value: '' }] })}
      onRemove={(index) => set({ elementNames: rows.filter((_, at) => at !== index) })}
    >
      {(index) => (
        <>
          <TextField
            hideLabel
            mono
            label={t('connections.rowOf', { what: t('connections.elementKey'), row: index + 1 })}
            value={rows[index]?.key ?? ''}
            isReadOnly={locked !== undefined}
            onChange={(key) => change(index, { key })}
          />
          <TextField
            hideLabel
            mono
            label={t('connections.rowOf', { what: t('connections.elementValue'), row: index + 1 })}
            value={rows[index]?.value ?? ''}
            isReadOnly={locked !== undefined}
            onChange={(value) => change(index, { value })}
            error={errorAt(`elementNames.${rows[index]?.key}`)}
          />
        </>
      )}
    </Rows>
  );
}

/** Credit types or lists: numbers of the service with names for people. Of a list also what it tells about its signers. */
export function NamedNumbersSection(props: SectionProps & { readonly which: 'creditTypes' | 'lists' }) {
  const { draft, set, errorAt, lockedAt, which } = props;
  const { t } = useTranslation();
  const rows = draft[which];
  const locked = lockedAt(which);
  const title = which === 'creditTypes' ? t('connections.sectionCredits') : t('connections.sectionLists');
  const change = (index: number, part: Partial<ConnectionDraft['lists'][number]>) =>
    set({ [which]: rows.map((row, at) => (at === index ? { ...row, ...part } : row)) });
  const rowOf = (what: string, index: number) => `${title}: ${t('connections.rowOf', { what, row: index + 1 })}`;
  return (
    <Rows
      title={title}
      text={which === 'creditTypes' ? t('connections.creditsText') : t('connections.listsText')}
      locked={locked}
      heads={[
        t('connections.number'),
        t('connections.label'),
        ...(which === 'lists' ? [t('connections.meaning')] : []),
      ]}
      count={rows.length}
      onAdd={() => set(withRow(draft, which))}
      onRemove={(index) => set({ [which]: rows.filter((_, at) => at !== index) })}
    >
      {(index) => (
        <>
          <WholeNumberField
            hideLabel
            label={rowOf(t('connections.number'), index)}
            value={rows[index]?.value ?? 0}
            isReadOnly={locked !== undefined}
            min={-2147483648}
            max={2147483647}
            onChange={(value) => change(index, { value })}
            error={errorAt(`${which}.${index}.value`)}
          />
          <TextField
            hideLabel
            label={rowOf(t('connections.label'), index)}
            value={rows[index]?.name ?? ''}
            isReadOnly={locked !== undefined}
            onChange={(name) => change(index, { name })}
            error={errorAt(`${which}.${index}.name`)}
            maxLength={80}
          />
          {which === 'lists' ? (
            <Choice
              hideLabel
              label={rowOf(t('connections.meaning'), index)}
              locked={locked}
              value={draft.lists[index]?.meaning ?? 'none'}
              choices={meanings.map((key) => ({ key, text: t(`connections.meanings.${key}`) }))}
              onChange={(meaning) => change(index, { meaning })}
            />
          ) : null}
        </>
      )}
    </Rows>
  );
}

/** One more row, with the next number. */
function withRow(draft: ConnectionDraft, which: 'creditTypes' | 'lists'): Partial<ConnectionDraft> {
  const row = { value: Math.max(0, ...draft[which].map(({ value }) => value)) + 1, name: '' };
  return which === 'lists'
    ? { lists: [...draft.lists, { ...row, meaning: 'none' }] }
    : { creditTypes: [...draft.creditTypes, row] };
}

function Rows(props: {
  readonly title: string;
  readonly text: string;
  readonly heads: readonly string[];
  readonly count: number;
  readonly locked: string | undefined;
  readonly onAdd: () => void;
  readonly onRemove: (index: number) => void;
  readonly children: (index: number) => ReactNode;
}) {
  const { t } = useTranslation();
  const columns = props.heads.length > 2 ? css.three : '';
  return (
    <Card title={props.title}>
      <p className={looks.said}>{props.locked ?? props.text}</p>
      {props.count > 0 ? (
        <div className={`${css.rowHeads} ${columns}`} aria-hidden="true">
          {props.heads.map((head) => (
            <span key={head}>{head}</span>
          ))}
        </div>
      ) : null}
      <ul className={looks.stack}>
        {Array.from({ length: props.count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name, and their fields are controlled
          <li key={index} className={`${css.row} ${columns}`}>
            {props.children(index)}
            {props.locked ? null : (
              <IconButton
                label={`${props.title}: ${t('connections.removeRow', { row: index + 1 })}`}
                icon={<X aria-hidden="true" />}
                onPress={() => props.onRemove(index)}
              />
            )}
          </li>
        ))}
      </ul>
      <div hidden={props.locked !== undefined}>
        <Button
          kind="quiet"
          icon={<Plus aria-hidden="true" />}
          isDisabled={props.count >= maxRows}
          onPress={props.onAdd}
          aria-label={`${props.title}: ${t('connections.addRow')}`}
        >
          {t('connections.addRow')}
        </Button>
      </div>
    </Card>
  );
}
