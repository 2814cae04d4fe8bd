import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SearchField } from '../../parts/field.tsx';
import css from './compose.module.css';

/** Recipients of earlier requests; they can be removed from the list. */
export function RecentPeople(props: {
  readonly onAdd: (person: { name: string; email: string }) => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [search, setSearch] = useState('');
  const people = useQuery({
    queryKey: ['people', search],
    queryFn: () => askValue('people.list', { search, limit: 100 }),
    placeholderData: (before) => before,
  });
  const forget = useCall('people.forget');
  const forgetAll = useCall('people.forgetAll');
  const again = () => client.invalidateQueries({ queryKey: ['people'] });
  const found = people.data ?? [];
  const failure = people.error?.failure ?? forget.failure ?? forgetAll.failure;
  return (
    <Dialog
      title={t('compose.recentPeople')}
      onClose={props.onClose}
      actions={
        <>
          {found.length > 0 && search === '' ? (
            <Button onPress={() => void forgetAll.run({}).then(again)}>{t('compose.forgetAll')}</Button>
          ) : null}
          <Button kind="primary" onPress={props.onClose}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      <p>{t('compose.recentText')}</p>
      <SearchField
        label={t('compose.searchPeople')}
        placeholder={t('compose.searchPeople')}
        value={search}
        onChange={setSearch}
      />
      {failure ? <FailureView failure={failure} /> : null}
      {people.isSuccess && found.length === 0 ? <p>{t('compose.noPeople')}</p> : null}
      <ul className={css.list} aria-label={t('compose.recentPeople')}>
        {found.map((person) => (
          <PersonItem
            key={person.email}
            person={person}
            onAdd={() => props.onAdd({ name: person.name, email: person.email })}
            onForget={() => void forget.run({ email: person.email }).then(again)}
          />
        ))}
      </ul>
    </Dialog>
  );
}

function PersonItem(props: {
  readonly person: { readonly name: string; readonly email: string };
  readonly onAdd: () => void;
  readonly onForget: () => void;
}) {
  const { person } = props;
  const { t } = useTranslation();
  return (
    <li className={css.item}>
      <div>
        <strong>{person.name || person.email}</strong>
        {person.name ? person.email : null}
      </div>
      <Button aria-label={`${t('compose.add')}: ${person.name || person.email}`} onPress={props.onAdd}>
        {t('compose.add')}
      </Button>
      <Button
        kind="quiet"
        aria-label={`${t('compose.forget')}: ${person.name || person.email}`}
        onPress={props.onForget}
      >
        {t('compose.forget')}
      </Button>
    </li>
  );
}
