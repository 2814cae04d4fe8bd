import { createContext, type ReactNode, use, useCallback, useState } from 'react';
import { VisuallyHidden } from 'react-aria-components';

const AnnounceContext = createContext<(text: string) => void>(() => undefined);

/** Holds the one live region. Results are told there politely; nothing is shown. */
export function Announcer(props: { readonly children: ReactNode }) {
  const [said, setSaid] = useState({ text: '', turn: 0 });
  const announce = useCallback((text: string) => setSaid(({ turn }) => ({ text, turn: turn + 1 })), []);
  return (
    <AnnounceContext value={announce}>
      {props.children}
      <VisuallyHidden>
        <div role="status" aria-live="polite">
          <span key={said.turn}>{said.text}</span>
        </div>
      </VisuallyHidden>
    </AnnounceContext>
  );
}

/** Tells a text to screen readers. */
export function useAnnounce(): (text: string) => void {
  return use(AnnounceContext);
}
