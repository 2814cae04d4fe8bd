import { Search } from 'lucide-react';
import { useState } from 'react';
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import popup from '../parts/popup.module.css';
import css from './palette.module.css';
import { usePaletteEntries } from './palette-entries.ts';

/** Ctrl/Cmd+K: every screen, document, connection and command by name. */
export function Palette(props: { readonly onClose: () => void; readonly openFiles: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const groups = usePaletteEntries(text, props.openFiles);
  const entries = groups.flatMap((group) => group.entries);
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => (open ? undefined : props.onClose())}
      className={css.place ?? ''}
    >
      <Modal className={css.window ?? ''}>
        <Dialog aria-label={t('palette.title')} className={css.dialog ?? ''}>
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField
              aria-label={t('palette.field')}
              className={css.field ?? ''}
              onKeyDown={(event) => (event.key === 'Escape' && text === '' ? props.onClose() : undefined)}
              autoFocus
            >
              <Search aria-hidden="true" />
              <Input className={css.input ?? ''} placeholder={t('palette.field')} />
              <kbd>Esc</kbd>
            </SearchField>
            <Menu
              aria-label={t('palette.results')}
              className={css.list ?? ''}
              items={groups}
              renderEmptyState={() => <p className={css.empty}>{t('palette.nothing', { text })}</p>}
              onAction={(key) => {
                props.onClose();
                entries.find((entry) => entry.id === key)?.act();
              }}
            >
              {(group) => (
                <MenuSection id={group.id}>
                  <Header className={popup.group}>{t(`palette.${group.id}`)}</Header>
                  {group.entries.map((entry) => (
                    <MenuItem key={entry.id} id={entry.id} textValue={entry.text} className={popup.item ?? ''}>
                      <entry.icon aria-hidden="true" />
                      <span className={popup.text}>{entry.text}</span>
                      {entry.aside ? <span className={css.aside}>{entry.aside}</span> : null}
                    </MenuItem>
                  ))}
                </MenuSection>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
