import { FileText, FlaskConical, FolderOpen, Moon, PlugZap, Plus, Search, Sun, SunMoon, Upload } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Preferences } from '../../contract/app.ts';
import { useLive } from '../bridge/live.tsx';
import { useDocumentSearch } from '../bridge/queries.ts';
import { useCall } from '../bridge/use-call.ts';
import { useSelection } from '../features/selection.tsx';
import { type Route, useGo } from '../parts/navigation.tsx';
import { routes } from './routes.tsx';

/** One entry of the palette. */
export interface Entry {
  readonly id: string;
  readonly text: string;
  readonly aside?: string;
  readonly icon: typeof Search;
  readonly act: () => void;
}

export interface EntryGroup {
  readonly id: 'screens' | 'documents' | 'connections' | 'commands';
  readonly entries: readonly Entry[];
}

/** The palette's entries for a text: screens, documents, connections and commands that contain it. */
export function usePaletteEntries(text: string, openFiles: () => void): readonly EntryGroup[] {
  const { t, i18n } = useTranslation();
  const go = useGo();
  const { connections } = useLive().connections;
  const use = useCall('connections.use');
  const documents = useDocumentSearch(text);
  const commands = useCommands(openFiles);

  const screens = routes.map((route) => ({
    id: `screen-${route.screen}`,
    text: t(`screens.${route.screen}`),
    icon: route.icon,
    act: () => go({ screen: route.screen } as Route),
  }));
  const found = (text.trim() === '' ? [] : (documents.data?.rows ?? [])).map((row) => ({
    id: `document-${row.id}`,
    text: row.name || row.documentId,
    aside: row.documentId,
    icon: FileText,
    act: () => go({ screen: 'documents', search: row.documentId }),
  }));
  const switches = connections.map((connection) => ({
    id: `connection-${connection.id}`,
    text: t('palette.useConnection', { name: connection.name }),
    icon: connection.kind === 'practice' ? FlaskConical : PlugZap,
    act: () => void use.run({ id: connection.id }),
  }));
  const matches = (entry: Entry) =>
    entry.text.toLocaleLowerCase(i18n.language).includes(text.trim().toLocaleLowerCase(i18n.language));
  const groups: readonly EntryGroup[] = [
    { id: 'documents', entries: found },
    { id: 'screens', entries: screens.filter(matches) },
    { id: 'commands', entries: commands.filter(matches) },
    { id: 'connections', entries: switches.filter(matches) },
  ];
  return groups.filter((group) => group.entries.length > 0);
}

function useCommands(openFiles: () => void): readonly Entry[] {
  const { t } = useTranslation();
  const go = useGo();
  const selection = useSelection();
  const { preferences } = useLive().info;
  const prefer = useCall('app.setPreferences');
  const theme = (value: Preferences['theme']) => () => void prefer.run({ ...preferences, theme: value });
  const onStart = (action: () => Promise<unknown>) => () => {
    go({ screen: 'start' });
    void action();
  };
  return [
    { id: 'files', text: t('start.chooseFiles'), icon: Upload, act: openFiles },
    { id: 'folder', text: t('start.chooseFolder'), icon: FolderOpen, act: onStart(() => selection.choose('folder')) },
    { id: 'samples', text: t('start.samples'), icon: FileText, act: onStart(selection.addSamples) },
    {
      id: 'by-id',
      text: t('palette.openById'),
      icon: Search,
      act: () => go({ screen: 'documents', openById: true }),
    },
    {
      id: 'add-connection',
      text: t('palette.addConnection'),
      icon: Plus,
      act: () => go({ screen: 'connections', edit: 'new' }),
    },
    { id: 'theme-system', text: t('palette.themeSystem'), icon: SunMoon, act: theme('system') },
    { id: 'theme-light', text: t('palette.themeLight'), icon: Sun, act: theme('light') },
    { id: 'theme-dark', text: t('palette.themeDark'), icon: Moon, act: theme('dark') },
  ];
}
