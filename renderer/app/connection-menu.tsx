import { FlaskConical } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { Button, VisuallyHidden } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useCurrentConnection } from '../bridge/live.tsx';
import { ConnectionStateIcon, ConnectionStateText } from '../features/connection-state.tsx';
import { lazyDialog } from '../parts/lazy-part.tsx';
import { MiddleCut } from '../parts/middle-cut.tsx';
import css from './frame.module.css';

/** Menus are a tenth of what the window would load first. */
const ConnectionList = lazyDialog(
  () => import('./connection-list.tsx').then((file) => file.ConnectionList),
  (t) => t('band.connectionMenu'),
);

export const preloadConnectionList = ConnectionList.preload;

/** Shows the connection in use; its menu switches. */
export function ConnectionMenu(props: { readonly icon: ReactNode }) {
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
        {props.icon}
      </Button>
      {focusOn ? (
        <ConnectionList button={button} buttonId={buttonId} focusOn={focusOn} onClose={() => setFocusOn(null)} />
      ) : null}
    </>
  );
}
