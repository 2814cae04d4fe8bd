import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput } from '../../../contract/index.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { useDebounced } from '../../parts/hooks/use-debounced.ts';
import looks from '../../parts/looks.module.css';
import { Dialog } from '../../parts/overlays/dialog.tsx';

/** Extracts people from a spreadsheet or a mail header and shows them before they are added. */
export function PastePeople(props: {
  readonly text: string;
  readonly onAdd: (people: readonly { name: string; email: string }[]) => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState(props.text);
  const still = useDebounced(text, 200);
  const parsed = useQuery({
    queryKey: ['parse-people', still],
    queryFn: () => askValue('compose.parsePeople', { text: still }),
    placeholderData: (before) => before,
    gcTime: 0,
  });
  const people = parsed.data?.people ?? [];
  const leftOver = parsed.data?.leftOver ?? [];
  return (
    <Dialog
      wide
      title={t('compose.pasteTitle')}
      onClose={props.onClose}
      confirm={
        <Button
          kind="primary"
          isDisabled={people.length === 0 || still !== text}
          onPress={() => {
            props.onAdd(people.map(({ name, email }) => ({ name, email })));
            props.onClose();
          }}
        >
          {t('compose.addPeople', { count: people.length })}
        </Button>
      }
    >
      <p>{t('compose.pasteText')}</p>
      <TextField label={t('compose.pasteField')} lines autoFocus value={text} onChange={setText} />
      {parsed.error ? <FailureView failure={parsed.error.failure} /> : null}
      {people.length > 0 ? <ParsedPeople people={people} /> : null}
      {leftOver.length > 0 ? <LeftOver parts={leftOver} /> : null}
      {parsed.data?.cut ? <p>{t('compose.pasteCut')}</p> : null}
    </Dialog>
  );
}

type Parsed = CallOutput<'compose.parsePeople'>;

function ParsedPeople(props: { readonly people: Parsed['people'] }) {
  const { t } = useTranslation();
  return (
    <table className={looks.table}>
      <thead>
        <tr>
          <th>{t('compose.name')}</th>
          <th>{t('compose.email')}</th>
        </tr>
      </thead>
      <tbody>
        {props.people.slice(0, 50).map((person) => (
          <tr key={`${person.line}-${person.email}`}>
            <td>{person.name || '—'}</td>
            <td>{person.email}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Parts of the text that could not be read as people. */
function LeftOver(props: { readonly parts: Parsed['leftOver'] }) {
  const { t } = useTranslation();
  return (
    <div className={looks.warning} role="status">
      <p>{t('compose.leftOver', { count: props.parts.length })}</p>
      <ul>
        {props.parts.slice(0, 10).map((part) => (
          <li key={`${part.line}-${part.text}`}>{t('compose.leftOverLine', part)}</li>
        ))}
      </ul>
    </div>
  );
}
