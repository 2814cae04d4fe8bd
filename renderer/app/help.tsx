import type { TFunction } from 'i18next';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { HelpTopic } from '../../contract/app.ts';
import { listen } from '../bridge/client.ts';
import { HelpContext, type Place, sectionOfScreen } from '../features/help.ts';
import { lazyDialog } from '../parts/lazy-part.tsx';
import type { ScreenName } from '../parts/navigation.tsx';

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
