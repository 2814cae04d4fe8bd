import { Check, FlaskConical, Settings2 } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Button,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
  VisuallyHidden,
} from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useCurrentConnection, useLive } from '../bridge/live.tsx';
import { useCall } from '../bridge/use-call.ts';
import { ConnectionStateIcon, ConnectionStateText } from '../features/connection-state.tsx';
import looks from '../parts/looks.module.css';
import { useGo } from '../parts/navigation.tsx';
import popup from '../parts/popup.module.css';
import css from './frame.module.css';

const manageKey = 'manage-connections';

/** Shows the connection in use; its menu switches. */
export function ConnectionMenu(props: { readonly icon: ReactNode }) {
  const { t } = useTranslation();
  const { connections } = useLive().connections;
  const current = useCurrentConnection();
  const use = useCall('connections.use');
  const go = useGo();
  const practice = current.kind === 'practice';
  return (
    <MenuTrigger>
      <Button className={`${css.pill} ${practice ? css.practicePill : ''}`}>
        {practice ? <FlaskConical aria-hidden="true" /> : <ConnectionStateIcon connection={current} />}
        <VisuallyHidden>{t('band.connectionMenu')}</VisuallyHidden>
        <span className={looks.cut}>{current.name}</span>
        <VisuallyHidden>
          <ConnectionStateText connection={current} />
        </VisuallyHidden>
        {props.icon}
      </Button>
      <Popover className={popup.popup ?? ''} placement="bottom end" offset={6}>
        <Menu
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
    </MenuTrigger>
  );
}
