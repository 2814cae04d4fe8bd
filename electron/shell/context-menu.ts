import { type BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron';
import type { Texts } from './system/desktop-texts.ts';

/** Opens the menu of a text field or of selected text by the right mouse button or the menu key: Electron has none of its own. */
export function offerContextMenu(window: BrowserWindow, texts: () => Texts): void {
  window.webContents.on('context-menu', (_event, { editFlags, isEditable, selectionText, menuSourceType, x, y }) => {
    const t = texts();
    const copy: MenuItemConstructorOptions = { role: 'copy', label: t('menu.copy'), enabled: editFlags.canCopy };
    const selectAll: MenuItemConstructorOptions = {
      role: 'selectAll',
      label: t('menu.selectAll'),
      enabled: editFlags.canSelectAll,
    };
    const inField: readonly MenuItemConstructorOptions[] = [
      { role: 'undo', label: t('menu.undo'), enabled: editFlags.canUndo },
      { role: 'redo', label: t('menu.redo'), enabled: editFlags.canRedo },
      { type: 'separator' },
      { role: 'cut', label: t('menu.cut'), enabled: editFlags.canCut },
      copy,
      { role: 'paste', label: t('menu.paste'), enabled: editFlags.canPaste },
      { role: 'delete', label: t('menu.delete'), enabled: editFlags.canDelete },
      { type: 'separator' },
      selectAll,
    ];
    if (!isEditable && selectionText === '') return;
    const menu = Menu.buildFromTemplate(isEditable ? [...inField] : [copy]);
    // At the pointer, or where the keyboard's focus is.
    menu.popup(menuSourceType === 'keyboard' ? { window, x, y } : { window });
  });
}
