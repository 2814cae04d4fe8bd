import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { VisuallyHidden } from 'react-aria-components';

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

/** A text, or what makes it when it is its turn. A later one with the same `topic` takes the place of one that was not said yet; an empty one says that the topic is over: nothing about it stays to be read. */
type Announce = (text: string | (() => string), topic?: string) => void;

/** Shortest time between two announcements, so that a screen reader can finish one. */
const announceEveryMs = 4_000;
/** What happens at once is said at once, in one announcement. */
const gatherMs = 100;
/** Older texts are dropped: nobody listens to a backlog. */
const mostTexts = 4;

/** Gathers texts, and says them together, never more often than every few seconds. */
function createAnnouncements(say: (text: string) => void): { readonly announce: Announce; stop(): void } {
  const waiting = new Map<string, string | (() => string)>();
  let shown: readonly string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let nextAt = 0;
  const flush = () => {
    timer = undefined;
    const texts = [...waiting].map(([topic, text]) => [topic, typeof text === 'string' ? text : text()] as const);
    waiting.clear();
    const said = texts.filter(([, text]) => text !== '').slice(-mostTexts);
    if (said.length === 0) return;
    shown = said.map(([topic]) => topic);
    nextAt = performance.now() + announceEveryMs;
    say(said.map(([, text]) => text).join('. '));
  };
  return {
    announce: (text, topic) => {
      if (text === '') {
        waiting.delete(topic ?? '');
        if (topic !== undefined && shown.includes(topic)) say('');
        return;
      }
      waiting.set(topic ?? String(text), text);
      timer ??= setTimeout(flush, Math.max(gatherMs, nextAt - performance.now()));
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
