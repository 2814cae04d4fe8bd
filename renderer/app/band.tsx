import { ChevronDown, FlaskConical, Search } from 'lucide-react';
import { Button } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useCurrentConnection } from '../bridge/live.tsx';
import { Seal } from '../parts/seal.tsx';
import { ConnectionMenu } from './connection-menu.tsx';
import css from './frame.module.css';

/** The key's name on this keyboard: Ctrl or ⌘. */
export const commandKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';

/** The top band: name, search, connection; below it a line for the practice connection while it is in use. */
export function Band(props: { readonly onFind: () => void }) {
  const { t } = useTranslation();
  const practice = useCurrentConnection().kind === 'practice';
  return (
    <header className={css.banner}>
      <div className={css.band}>
        <div className={css.brand}>
          <Seal className={css.mark} />
          <span className={css.wordmark}>{t('app.name')}</span>
        </div>
        <Button className={css.find ?? ''} onPress={props.onFind} aria-haspopup="dialog">
          <Search aria-hidden="true" />
          <span className={css.findText}>{t('band.find')}</span>
          <span aria-hidden="true">
            <kbd>{`${commandKey} K`}</kbd>
          </span>
        </Button>
        <ConnectionMenu icon={<ChevronDown aria-hidden="true" />} />
      </div>
      {practice ? (
        <p className={css.practice}>
          <FlaskConical aria-hidden="true" />
          {t('app.practiceBand')}
        </p>
      ) : null}
    </header>
  );
}
