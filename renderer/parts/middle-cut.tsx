import { useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { forgetLetterWidths, type LetterWidth, letterWidths } from './letter-widths.ts';
import css from './middle-cut.module.css';
import { visibleName } from './visible-name.ts';

/** So many last letters stay where there is room: the ending and a bit of what tells versions apart. */
const tailLength = 12;
/** No more of the room than this is the tail's: beginnings tell names apart as well. */
const tailShare = 0.66;
/** Places are rounded to parts of a pixel, and letters may change a little beside others. */
const slackPx = 1;

interface Room {
  readonly width: number;
  readonly letter: LetterWidth;
}

/**
 * A name, with what would not be seen in it made visible; where there is no room for it, cut in the middle: whole letters of its beginning, …, whole letters of its end. Tooltip, screen readers
 * and the clipboard have the whole name.
 */
export function MiddleCut(props: { readonly text: string }) {
  const text = visibleName(props.text);
  const box = useRef<HTMLSpanElement>(null);
  const [room, setRoom] = useState<Room | null>(null);
  useLayoutEffect(() => watch(box.current, setRoom), []);
  const cut = room && cutToFit(text, room);
  return (
    <span ref={box} className={css.name} dir="auto" title={text}>
      {cut === null ? (
        text
      ) : (
        <>
          <span className={css.whole}>{text}</span>
          <span className={css.cut} aria-hidden="true">
            {cut}
          </span>
        </>
      )}
    </span>
  );
}

function cutToFit(text: string, { width, letter }: Room): string | null {
  const letters = lettersOf(text);
  const widths = letters.map(letter);
  const room = width - slackPx - letter('…');
  const tail = fitting(widths.toReversed(), room * tailShare, tailLength);
  const head = fitting(widths, room - tail.width, letters.length - tail.count);
  if (head.count + tail.count === letters.length) return null;
  const end = letters.slice(letters.length - tail.count).join('');
  return `${letters.slice(0, head.count).join('').trimEnd()}…${end.trimStart()}`;
}

/** How many of the first letters have room. */
function fitting(widths: readonly number[], room: number, most: number) {
  let [count, width] = [0, 0];
  for (const next of widths) {
    if (count >= most || width + next > room) break;
    count += 1;
    width += next;
  }
  return { count, width };
}

const segmenter = new Intl.Segmenter();

/** What people take for one letter; most names need no looking for it. */
function lettersOf(text: string): readonly string[] {
  return /^[ -~]*$/.test(text) ? text.split('') : Array.from(segmenter.segment(text), ({ segment }) => segment);
}

interface Watched {
  readonly tell: (room: Room | null) => void;
  isCut: boolean;
}

const watched = new Map<Element, Watched>();
// One for all, and after the layout: reading sizes costs nothing there, and what is told is drawn before anybody sees the page.
const observer = new ResizeObserver((entries) => look(entries.map(({ target }) => target)));
document.fonts.addEventListener('loadingdone', () => {
  forgetLetterWidths();
  look([...watched.keys()]);
});

function watch(box: Element | null, tell: Watched['tell']): () => void {
  if (!box) return () => undefined;
  watched.set(box, { tell, isCut: false });
  observer.observe(box);
  return () => {
    watched.delete(box);
    observer.unobserve(box);
  };
}

/** Most names fit before and after: for them nothing is told, which keeps tables quick. */
function look(boxes: readonly Element[]): void {
  const tellings: (() => void)[] = [];
  for (const box of boxes) {
    const one = watched.get(box);
    const isCut = box.scrollWidth > box.clientWidth;
    if (!one || !(isCut || one.isCut)) continue;
    one.isCut = isCut;
    const room = isCut ? { width: box.getBoundingClientRect().width, letter: letterWidths(box) } : null;
    tellings.push(() => one.tell(room));
  }
  if (tellings.length > 0)
    flushSync(() => {
      for (const tell of tellings) tell();
    });
}
