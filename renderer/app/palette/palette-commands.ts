import { Contrast, FileText, FolderOpen, Moon, PenLine, Plus, Search, Sun, SunMoon, Upload } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { themes } from '../../../contract/settings.ts';
import { useLive } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useSelection } from '../../features/files/selection.tsx';
import { useGo } from '../../parts/navigation.tsx';
import type { Entry } from './palette-found.ts';

const themeIcons = { system: SunMoon, light: Sun, dark: Moon, contrast: Contrast } as const satisfies Record<
  (typeof themes)[number],
  unknown
>;

/** What the program can do from anywhere. */
export function useCommands(openFiles: () => void): readonly Entry[] {
  const { t } = useTranslation();
  const go = useGo();
  const selection = useSelection();
  const prefer = useCall('app.setPreferences');
  const { mayAddConnections, locked } = useLive().info.policy;
  const allowedThemes = locked.includes('theme') ? [] : themes;
  const onStart = (action: () => Promise<unknown>) => () => {
    go({ screen: 'start' });
    void action();
  };
  const addConnection: Entry = {
    id: 'add-connection',
    text: t('palette.addConnection'),
    icon: Plus,
    act: () => go({ screen: 'connections', edit: 'new' }),
  };
  return [
    { id: 'files', text: t('start.chooseFiles'), icon: Upload, act: openFiles },
    { id: 'folder', text: t('start.chooseFolder'), icon: FolderOpen, act: onStart(() => selection.choose('folder')) },
    { id: 'samples', text: t('start.samples'), icon: FileText, act: onStart(selection.addSamples) },
    {
      id: 'request',
      text: t('compose.newRequest'),
      icon: PenLine,
      act: () => go({ screen: 'compose', fresh: crypto.randomUUID() }),
    },
    { id: 'by-id', text: t('palette.openById'), icon: Search, act: () => go({ screen: 'documents', openById: true }) },
    ...(mayAddConnections ? [addConnection] : []),
    ...allowedThemes.map((theme) => ({
      id: `theme-${theme}`,
      text: t(`palette.themes.${theme}`),
      icon: themeIcons[theme],
      act: () => void prefer.run({ theme }),
    })),
  ];
}
