import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { GraduationCap, X } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HelpTopic } from '../../contract/app.ts';
import { askValue, listen } from '../bridge/client.ts';
import { useCurrentConnection } from '../bridge/live.tsx';
import { useDocumentCount } from '../bridge/queries.ts';
import { useSelection } from '../features/files/selection.tsx';
import { HelpContext, type Place, sectionOfScreen, useHelp } from '../features/help.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { lazyDialog } from '../parts/lazy-part.tsx';
import type { ScreenName } from '../parts/navigation.tsx';
import css from './frame.module.css';

const title = (t: TFunction) => t('help.title');
const heading = (t: TFunction) => t('help.notLoaded');
const HelpDialog = lazyDialog(
  () => import('../screens/help/help-dialog.tsx').then((file) => file.HelpDialog),
  title,
  heading,
);
const TourBar = lazyDialog(() => import('../screens/help/tour-bar.tsx').then((file) => file.TourBar), title, heading);

/** Opens Help over the screen, on request of the window or of the desktop's menu. `children` gets the running tour, to place it. */
export function HelpProvider(props: {
  readonly screen: ScreenName;
  readonly children: (tour: ReactNode) => ReactNode;
}) {
  const [place, setPlace] = useState<Place | null>(null);
  const [isTouring, setTouring] = useState(false);
  const { screen } = props;
  const open = useCallback(
    (wanted: HelpTopic | Place) => {
      if (wanted === 'tour') {
        setTouring(true);
        setPlace(null);
      } else if (wanted === 'guide') setPlace({ topic: sectionOfScreen[screen], anchor: null });
      else setPlace(typeof wanted === 'string' ? { topic: wanted } : wanted);
    },
    [screen],
  );
  useEffect(() => listen('app.helpWanted', (wanted) => open(wanted.topic)), [open]);
  const close = () => setPlace(null);
  const endTour = () => setTouring(false);
  const tour = isTouring ? <TourBar screen={props.screen} onClose={endTour} /> : null;
  return (
    <HelpContext value={open}>
      {props.children(tour)}
      {place ? (
        <HelpDialog key={JSON.stringify(place)} place={place} onTour={() => open('tour')} onClose={close} />
      ) : null}
    </HelpContext>
  );
}

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
