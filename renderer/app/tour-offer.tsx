import { useQuery } from '@tanstack/react-query';
import { GraduationCap, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askValue } from '../bridge/client.ts';
import { useCurrentConnection } from '../bridge/live.tsx';
import { useDocumentCount } from '../bridge/queries.ts';
import { useSelection } from '../features/files/selection.tsx';
import { useHelp } from '../features/help.ts';
import { Button, IconButton } from '../parts/button.tsx';
import css from './frame.module.css';

/** True in the first start of the program, until a document is registered or the offer is declined. */
export function useTourOffer(): { readonly isOpen: boolean; readonly close: () => void } {
  const [isClosed, setClosed] = useState(false);
  const documents = useDocumentCount(useCurrentConnection().id);
  const offer = useQuery({
    queryKey: ['tour-offer'],
    queryFn: () => askValue('app.offerTour', {}),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return { isOpen: offer.data === true && documents === 0 && !isClosed, close: () => setClosed(true) };
}

/** One quiet line on Start that offers the tour, until there are files to do something with. Help offers it again. */
export function TourOffer(props: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const help = useHelp();
  const { tokens } = useSelection();
  if (tokens.length > 0) return null;
  return (
    <section className={css.offer} aria-label={t('help.firstSteps')}>
      <Button
        kind="quiet"
        icon={<GraduationCap aria-hidden="true" />}
        onPress={() => {
          props.onClose();
          help('tour');
        }}
      >
        {t('tour.offer')}
      </Button>
      <IconButton label={t('tour.decline')} icon={<X aria-hidden="true" />} onPress={props.onClose} />
    </section>
  );
}
