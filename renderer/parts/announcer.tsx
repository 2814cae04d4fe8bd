import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { type Announce, createAnnouncements } from './announcements.ts';

const AnnounceContext = createContext<Announce>(() => undefined);

/** Contains the only live region for results. They are announced there politely, also while a dialog is open; nothing is visible. */
export function Announcer(props: { readonly children: ReactNode }) {
  const [said, setSaid] = useState({ text: '', turn: 0 });
  const announcements = useMemo(
    () => createAnnouncements((text) => setSaid(({ turn }) => ({ text, turn: turn + 1 }))),
    [],
  );
  useEffect(() => announcements.stop, [announcements]);
  return (
    <AnnounceContext value={announcements.announce}>
      {props.children}
      <VisuallyHidden>
        {/* A modal dialog hides everything else from screen readers, but for what carries this mark of React Aria. */}
        <div role="status" aria-live="polite" data-live-announcer="">
          <span key={said.turn}>{said.text}</span>
        </div>
      </VisuallyHidden>
    </AnnounceContext>
  );
}

/** Announces a text to screen readers. */
export function useAnnounce(): Announce {
  return use(AnnounceContext);
}
