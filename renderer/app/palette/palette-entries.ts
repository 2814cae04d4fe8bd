import { useQuery } from '@tanstack/react-query';
import {
  BookOpen,
  Contrast,
  FileText,
  FlaskConical,
  FolderOpen,
  GraduationCap,
  Keyboard,
  Moon,
  PenLine,
  PlugZap,
  Plus,
  Search,
  Settings,
  Sun,
  SunMoon,
  Upload,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { themes } from '../../../contract/settings.ts';
import { matchRank } from '../../../contract/text.ts';
import { useLive } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useSelection } from '../../features/files/selection.tsx';
import { useHelp } from '../../features/help.ts';
import { settingsCards } from '../../features/settings-cards.ts';
import { type Route, useGo } from '../../parts/navigation.tsx';
import { routes } from '../routes.tsx';
import { type Entry, useFound } from './palette-found.ts';

type GroupId =
  | 'jobs'
  | 'people'
  | 'requests'
  | 'documents'
  | 'newRequests'
  | 'screens'
  | 'commands'
  | 'settings'
  | 'connections'
  | 'help';

export interface EntryGroup {
  readonly id: GroupId;
  readonly entries: readonly Entry[];
}

/** The palette's entries for a text: grouped, the group with the best match first, the best match of each group first. */
export function usePaletteEntries(text: string, openFiles: () => void) {
  const own = useOwnEntries(openFiles);
  const found = useFound(text);
  const isEmpty = text.trim() === '';
  const matching = (entries: readonly Entry[]) => ranked(text, entries).filter(({ rank }) => rank > 0);
  // The core has matched these, perhaps by a text that is not shown.
  const answered = (entries: readonly Entry[]) =>
    ranked(text, entries).map(({ entry, rank }) => ({ entry, rank: Math.max(rank, 1) }));
  const groups = [
    { id: 'jobs' as const, rows: answered(found.jobs) },
    { id: 'people' as const, rows: answered(found.people) },
    { id: 'requests' as const, rows: answered(found.requests) },
    { id: 'documents' as const, rows: answered(found.documents) },
    // Behind what there is already: whoever looks for a person looks for that first.
    { id: 'newRequests' as const, rows: found.newRequests.map((entry) => ({ entry, rank: 1 })) },
    { id: 'screens' as const, rows: matching(own.screens) },
    { id: 'commands' as const, rows: matching(own.commands) },
    { id: 'settings' as const, rows: isEmpty ? [] : matching(own.settings) },
    { id: 'connections' as const, rows: matching(own.connections) },
    { id: 'help' as const, rows: isEmpty ? [] : matching(own.help) },
  ].filter(({ rows }) => rows.length > 0);
  const best = ({ rows }: (typeof groups)[number]) => Math.max(...rows.map(({ rank }) => rank));
  if (!isEmpty) groups.sort((a, b) => best(b) - best(a));
  return {
    groups: groups.map(({ id, rows }) => ({ id, entries: rows.map(({ entry }) => entry) })),
    /** False while the core still searches for the text. */
    isCurrent: found.isCurrent,
    failure: found.failure,
  };
}

function ranked(text: string, entries: readonly Entry[]) {
  return entries
    .map((entry) => ({ entry, rank: matchRank(text, [entry.text, entry.aside ?? '', ...(entry.also ?? [])]) }))
    .sort((a, b) => b.rank - a.rank);
}

/** Entries that the window knows by itself. */
function useOwnEntries(openFiles: () => void) {
  const { t } = useTranslation();
  const go = useGo();
  const { connections } = useLive().connections;
  const use = useCall('connections.use');
  const commands = useCommands(openFiles);
  const help = useHelpEntries();
  const screens = routes.map(
    (route): Entry => ({
      id: `screen-${route.screen}`,
      text: t(`screens.${route.screen}`),
      icon: route.icon,
      act: () => go({ screen: route.screen } as Route, route.position === 'palette' ? 'from-here' : 'section'),
    }),
  );
  const settings = settingsCards.map(
    (name): Entry => ({
      id: `setting-${name}`,
      text: name === 'refresh' ? t('tracking.budgetTitle') : t(`settings.${name}`),
      icon: Settings,
      act: () => go({ screen: 'settings', focus: name, fresh: crypto.randomUUID() }),
    }),
  );
  const switches = connections.map(
    (connection): Entry => ({
      id: `connection-${connection.id}`,
      text: t('palette.useConnection', { name: connection.name }),
      also: [connection.name],
      icon: connection.kind === 'practice' ? FlaskConical : PlugZap,
      act: () => void use.run({ id: connection.id }),
    }),
  );
  return { screens, commands, settings, connections: switches, help };
}

/** The entries of Help: first steps, the shortcuts, and the guide by its headings, which come once its file is loaded. */
function useHelpEntries(): readonly Entry[] {
  const { t, i18n } = useTranslation();
  const open = useHelp();
  // As Help has it, so that it is loaded once for both.
  const guide = useQuery({
    queryKey: ['guide', i18n.language],
    queryFn: async () => (await import('../../screens/help/load-guide.ts')).loadGuide(i18n.language),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const also = [t('help.title')];
  const headings = (guide.data?.sections ?? []).flatMap(({ id, parts }) =>
    parts.map(
      ({ title, anchor }, at): Entry => ({
        id: `help-${anchor}`,
        text: title,
        aside: at === 0 ? t('help.title') : parts[0].title,
        also,
        icon: BookOpen,
        act: () => open({ topic: id, anchor: at === 0 ? null : anchor }),
      }),
    ),
  );
  return [
    { id: 'help-tour', text: t('help.firstSteps'), also, icon: GraduationCap, act: () => open('tour') },
    { id: 'help-shortcuts', text: t('help.shortcuts'), also, icon: Keyboard, act: () => open('shortcuts') },
    ...headings,
  ];
}

const themeIcons = { system: SunMoon, light: Sun, dark: Moon, contrast: Contrast } as const satisfies Record<
  (typeof themes)[number],
  unknown
>;

/** What the program can do from anywhere. */
function useCommands(openFiles: () => void): readonly Entry[] {
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
