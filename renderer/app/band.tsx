import { ChevronDown, CircleQuestionMark, FlaskConical, Search } from 'lucide-react';
import { Button } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useCurrentConnection } from '../bridge/live.tsx';
import { useHelp } from '../features/help.ts';
import { IconButton } from '../parts/button.tsx';
import { Seal } from '../parts/empty.tsx';
import { isMac } from '../parts/keys.ts';
import looks from '../parts/looks.module.css';
import { ConnectionMenu } from './connection-menu.tsx';
import css from './frame.module.css';

/** The top band: name, search, connection, help; beside the rail a line for the practice connection while it is in use. */
export function Band(props: { readonly onFind: () => void }) {
  const { t } = useTranslation();
  const help = useHelp();
  const practice = useCurrentConnection().kind === 'practice';
  return (
    <header className={css.banner}>
      <div className={css.band}>
        <div className={css.brand}>
          <Seal size={22} />
          <span className={css.wordmark}>{t('app.name')}</span>
        </div>
        <Button className={css.find ?? ''} onPress={props.onFind} aria-haspopup="dialog">
          <Search aria-hidden="true" />
          <span className={`${looks.grow} ${looks.cut}`} title={`${isMac ? '⌘' : t('help.key.mod')} K`}>
            {t('band.find')}
          </span>
        </Button>
        <ConnectionMenu icon={<ChevronDown aria-hidden="true" />} />
        <IconButton
          label={t('help.title')}
          icon={<CircleQuestionMark aria-hidden="true" />}
          onPress={() => help('guide')}
        />
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
