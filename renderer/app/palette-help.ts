import { useQuery } from '@tanstack/react-query';
import { BookOpen, GraduationCap, Keyboard } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useHelp } from '../features/help.ts';
import type { Entry } from './palette-entry.ts';

/** The entries of Help: first steps, the shortcuts, and the guide by its headings, which come once its file is loaded. */
export function useHelpEntries(): readonly Entry[] {
  const { t, i18n } = useTranslation();
  const open = useHelp();
  // As Help has it, so that it is loaded once for both.
  const guide = useQuery({
    queryKey: ['guide', i18n.language],
    queryFn: async () => (await import('../screens/help/load-guide.ts')).loadGuide(i18n.language),
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
