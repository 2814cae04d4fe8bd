import { ChevronDown, Search } from 'lucide-react';
import { Button } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { Seal } from '../parts/seal.tsx';
import { ConnectionMenu } from './connection-menu.tsx';
import css from './frame.module.css';

/** Ctrl or ⌘, as the keyboard has it. */
export const commandKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';

/** The top band: who we are, find anything, which connection. */
export function Band(props: { readonly onFind: () => void }) {
  const { t } = useTranslation();
  return (
    <header className={css.band}>
      <div className={css.brand}>
        <Seal className={css.mark} />
        <span className={css.wordmark}>{t('app.name')}</span>
      </div>
      <Button className={css.find ?? ''} onPress={props.onFind} aria-label={t('band.find')} aria-haspopup="dialog">
        <Search aria-hidden="true" />
        <span className={css.findText}>{t('band.find')}</span>
        <kbd>{`${commandKey} K`}</kbd>
      </Button>
      <ConnectionMenu icon={<ChevronDown aria-hidden="true" />} />
    </header>
  );
}
