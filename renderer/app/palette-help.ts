import { BookOpen, GraduationCap, Keyboard } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { sectionOfScreen, useHelp } from '../features/help.ts';
import type { Entry } from './palette-entry.ts';
import { routes } from './routes.tsx';

/** The entries of Help: first steps, the shortcuts, and the guide's section for each screen. */
export function useHelpEntries(): readonly Entry[] {
  const { t } = useTranslation();
  const open = useHelp();
  const sections = routes.map(
    ({ screen }): Entry => ({
      id: `help-${screen}`,
      text: t('palette.guide', { topic: t(`screens.${screen}`) }),
      also: [t('help.title')],
      icon: BookOpen,
      act: () => open(sectionOfScreen[screen]),
    }),
  );
  return [
    {
      id: 'help-tour',
      text: t('help.firstSteps'),
      also: [t('help.title')],
      icon: GraduationCap,
      act: () => open('tour'),
    },
    {
      id: 'help-shortcuts',
      text: t('help.shortcuts'),
      also: [t('help.title')],
      icon: Keyboard,
      act: () => open('shortcuts'),
    },
    ...sections,
  ];
}
