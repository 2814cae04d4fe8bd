import { ChevronDown, CircleQuestionMark, FlaskConical, Search } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Button, VisuallyHidden } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useCurrentConnection } from '../bridge/live.tsx';
import { ConnectionStateIcon, ConnectionStateText } from '../features/connection-state.tsx';
import { useHelp } from '../features/help.ts';
import { IconButton } from '../parts/button.tsx';
import { Seal } from '../parts/empty.tsx';
import { isMac } from '../parts/keys.ts';
import { lazyDialog } from '../parts/lazy-part.tsx';
import looks from '../parts/looks.module.css';
import { MiddleCut } from '../parts/middle-cut.tsx';
import css from './frame.module.css';

/** Menus are a tenth of what the window would load first. */
const ConnectionList = lazyDialog(
  () => import('./connection-list.tsx').then((file) => file.ConnectionList),
  (t) => t('band.connectionMenu'),
);

export const preloadConnectionList = ConnectionList.preload;

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
        <ConnectionMenu />
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

/** Shows the connection in use; its menu switches. */
function ConnectionMenu() {
  const { t } = useTranslation();
  const current = useCurrentConnection();
  const button = useRef<HTMLButtonElement>(null);
  const buttonId = useId();
  const [focusOn, setFocusOn] = useState<'first' | 'last' | true | null>(null);
  const practice = current.kind === 'practice';
  return (
    <>
      <Button
        ref={button}
        id={buttonId}
        className={`${css.pill} ${practice ? css.practicePill : ''}`}
        aria-haspopup="menu"
        aria-expanded={focusOn !== null}
        onPress={({ pointerType }) =>
          setFocusOn(pointerType === 'keyboard' || pointerType === 'virtual' ? 'first' : true)
        }
        onKeyDown={({ key }) => {
          if (key === 'ArrowDown' || key === 'ArrowUp') setFocusOn(key === 'ArrowDown' ? 'first' : 'last');
        }}
      >
        {practice ? <FlaskConical aria-hidden="true" /> : <ConnectionStateIcon connection={current} />}
        <VisuallyHidden>{t('band.connectionMenu')}</VisuallyHidden>
        <MiddleCut text={current.name} />
        <VisuallyHidden>
          <ConnectionStateText connection={current} />
        </VisuallyHidden>
        <ChevronDown aria-hidden="true" />
      </Button>
      {focusOn ? (
        <ConnectionList button={button} buttonId={buttonId} focusOn={focusOn} onClose={() => setFocusOn(null)} />
      ) : null}
    </>
  );
}
