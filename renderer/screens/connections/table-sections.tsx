import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../parts/button.tsx';
import { TextField, WholeNumberField } from '../../parts/field.tsx';
import { Card } from '../../parts/page.tsx';
import type { SectionProps } from './connection-draft.ts';
import css from './connections.module.css';

const maxRows = 50;

/** The service's own element names. */
export function ElementNamesSection(props: SectionProps) {
  const { draft, set, errorAt } = props;
  const { t } = useTranslation();
  const rows = draft.elementNames;
  const change = (index: number, part: Partial<(typeof rows)[number]>) =>
    set({ elementNames: rows.map((row, at) => (at === index ? { ...row, ...part } : row)) });
  return (
    <Rows
      title={t('connections.sectionNames')}
      text={t('connections.elementNamesText')}
      heads={[t('connections.elementKey'), t('connections.elementValue')]}
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
            onChange={(key) => change(index, { key })}
          />
          <TextField
            hideLabel
            mono
            label={t('connections.rowOf', { what: t('connections.elementValue'), row: index + 1 })}
            value={rows[index]?.value ?? ''}
            onChange={(value) => change(index, { value })}
            error={errorAt(`elementNames.${rows[index]?.key}`)}
          />
        </>
      )}
    </Rows>
  );
}

/** Credit types or lists: numbers of the service with names for people. */
export function NamedNumbersSection(props: SectionProps & { readonly which: 'creditTypes' | 'lists' }) {
  const { draft, set, errorAt, which } = props;
  const { t } = useTranslation();
  const rows = draft[which];
  const title = which === 'creditTypes' ? t('connections.sectionCredits') : t('connections.sectionLists');
  const change = (index: number, part: Partial<(typeof rows)[number]>) =>
    set({ [which]: rows.map((row, at) => (at === index ? { ...row, ...part } : row)) });
  const rowOf = (what: string, index: number) => `${title}: ${t('connections.rowOf', { what, row: index + 1 })}`;
  return (
    <Rows
      title={title}
      text={which === 'creditTypes' ? t('connections.creditsText') : t('connections.listsText')}
      heads={[t('connections.number'), t('connections.label')]}
      count={rows.length}
      onAdd={() => set({ [which]: [...rows, { value: Math.max(0, ...rows.map((row) => row.value)) + 1, name: '' }] })}
      onRemove={(index) => set({ [which]: rows.filter((_, at) => at !== index) })}
    >
      {(index) => (
        <>
          <WholeNumberField
            hideLabel
            label={rowOf(t('connections.number'), index)}
            value={rows[index]?.value ?? 0}
            min={-2147483648}
            max={2147483647}
            onChange={(value) => change(index, { value })}
            error={errorAt(`${which}.${index}.value`)}
          />
          <TextField
            hideLabel
            label={rowOf(t('connections.label'), index)}
            value={rows[index]?.name ?? ''}
            onChange={(name) => change(index, { name })}
            error={errorAt(`${which}.${index}.name`)}
            maxLength={80}
          />
        </>
      )}
    </Rows>
  );
}

function Rows(props: {
  readonly title: string;
  readonly text: string;
  readonly heads: readonly [string, string];
  readonly count: number;
  readonly onAdd: () => void;
  readonly onRemove: (index: number) => void;
  readonly children: (index: number) => ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <Card title={props.title}>
      <p className={css.text}>{props.text}</p>
      {props.count > 0 ? (
        <div className={css.rowHeads} aria-hidden="true">
          <span>{props.heads[0]}</span>
          <span>{props.heads[1]}</span>
        </div>
      ) : null}
      <ul className={css.rows}>
        {Array.from({ length: props.count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name, and their fields are controlled
          <li key={index} className={css.row}>
            {props.children(index)}
            <IconButton
              label={`${props.title}: ${t('connections.removeRow', { row: index + 1 })}`}
              icon={<X aria-hidden="true" />}
              onPress={() => props.onRemove(index)}
            />
          </li>
        ))}
      </ul>
      <div>
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
