import { Check, Settings2 } from 'lucide-react';
import type { RefObject } from 'react';
import { Header, Menu, MenuItem, MenuSection, Popover, Separator } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useCurrentConnection, useLive } from '../bridge/live.tsx';
import { useCall } from '../bridge/use-call.ts';
import { ConnectionStateIcon, ConnectionStateText } from '../features/connection-state.tsx';
import looks from '../parts/looks.module.css';
import { useGo } from '../parts/navigation.tsx';
import popup from '../parts/overlays/popup.module.css';

const manageKey = 'manage-connections';

/** The menu below the connection in use: the others, and their screen. */
export function ConnectionList(props: {
  /** It names the menu, too. */
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly buttonId: string;
  /** The entry that has the focus; true for the one in use. */
  readonly focusOn: 'first' | 'last' | true;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const { connections } = useLive().connections;
  const current = useCurrentConnection();
  const use = useCall('connections.use');
  const go = useGo();
  return (
    <Popover
      className={popup.popup ?? ''}
      aria-labelledby={props.buttonId}
      placement="bottom end"
      offset={6}
      triggerRef={props.button}
      isOpen
      onOpenChange={props.onClose}
    >
      <Menu
        aria-labelledby={props.buttonId}
        autoFocus={props.focusOn}
        onClose={props.onClose}
        onAction={(key) => (key === manageKey ? go({ screen: 'connections' }) : void use.run({ id: String(key) }))}
      >
        <MenuSection selectionMode="single" selectedKeys={[current.id]}>
          <Header className={popup.group}>{t('band.switchTo')}</Header>
          {connections.map((connection) => (
            <MenuItem key={connection.id} id={connection.id} textValue={connection.name} className={popup.item ?? ''}>
              {({ isSelected }) => (
                <>
                  <span className={looks.grow}>
                    {connection.name}
                    <small className={`${looks.row1} ${looks.aside} ${looks.unlessEmpty}`}>
                      <ConnectionStateIcon connection={connection} />
                      <ConnectionStateText connection={connection} />
                    </small>
                  </span>
                  {isSelected ? <Check aria-hidden="true" /> : null}
                </>
              )}
            </MenuItem>
          ))}
        </MenuSection>
        <Separator className={popup.rule ?? ''} />
        <MenuItem id={manageKey} textValue={t('band.manage')} className={popup.item ?? ''}>
          <Settings2 aria-hidden="true" />
          {t('band.manage')}
        </MenuItem>
      </Menu>
    </Popover>
  );
}
