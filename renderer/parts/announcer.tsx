import { createContext, type ReactNode, use, useCallback, useState } from 'react';
import { VisuallyHidden } from 'react-aria-components';

const AnnounceContext = createContext<(text: string) => void>(() => undefined);

/** Contains the only live region. Results are announced there politely; nothing is visible. */
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

/** Announces a text to screen readers. */
export function useAnnounce(): (text: string) => void {
  return use(AnnounceContext);
}
