import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askValue } from '../../bridge/client.ts';
import { AddressBook } from '../../features/address-book.tsx';
import { settingMark } from '../../features/setting-names.ts';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { Card } from '../../parts/page.tsx';
import css from './settings.module.css';

/** Number of people, and the dialog with them. */
export function AddressBookCard() {
  const { t } = useTranslation();
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const people = useQuery({ queryKey: ['people', 'count'], queryFn: () => askValue('people.list', { limit: 1 }) });
  const total = people.data?.total ?? 0;
  return (
    <Card title={t('settings.addressBook')} mark={settingMark('addressBook')}>
      <p className={css.help}>{t('people.count', { count: total, shown: format.number(total) })}</p>
      <div>
        <Button onPress={() => setOpen(true)}>{t('people.open')}</Button>
      </div>
      {isOpen ? <AddressBook onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}
