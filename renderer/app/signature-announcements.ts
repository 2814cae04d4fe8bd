import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { listen } from '../bridge/client.ts';
import { useAnnounce } from '../parts/announcer.tsx';

/** Announces new signatures to screen readers, on every screen. */
export function useSignatureAnnouncements(): void {
  const { t } = useTranslation();
  const announce = useAnnounce();
  useEffect(
    () =>
      listen('tracking.signed', ({ entries, count }) => {
        const said = entries.map(({ who, documentName }) =>
          t('tracking.announceSigned', {
            who: who || t('tracking.someone'),
            document: documentName || t('tracking.noName'),
          }),
        );
        const more = count - entries.length;
        announce([...said, ...(more > 0 ? [t('tracking.moreSigned', { count: more })] : [])].join('. '));
      }),
    [t, announce],
  );
}
