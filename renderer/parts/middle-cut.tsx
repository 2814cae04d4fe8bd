import { useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { visibleName } from './format.ts';
import css from './middle-cut.module.css';

/** Number of last letters that stay if there is space: the extension and a few letters that distinguish versions. */
const tailLength = 12;
/** Maximum share of the width for the last letters, because beginnings distinguish names as well. */
const tailShare = 0.66;
/** The same of an e-mail address: many end in the same way. */
const addressShare = 0.3;
/** Positions are rounded to parts of a pixel, and letters may change slightly beside others. */
const slackPx = 1;

interface Room {
  readonly width: number;
  readonly letter: LetterWidth;
}

/**
 * A name, address or ID in one line, with invisible characters made visible; if it does not fit, it is cut in the middle: whole letters of its beginning,
 * …, whole letters of its end. Tooltip, screen readers and the clipboard get the whole of it. Sentences are cut at their end (`cut` of looks.module.css).
 */
export function MiddleCut(props: {
  readonly text: string;
  /** A sentence around a name that was made visible before: its own direction marks stay marks, and it runs as the page does. */
  readonly isSentence?: boolean | undefined;
  /** The name in a sentence, which alone is cut: so its end is seen, too. */
  readonly name?: string | undefined;
  /** Words of its tooltip in place of the whole text. */
  readonly title?: string;
  /** What is shown instead where it does not fit, the longest first; only the last one is cut. */
  readonly shorter?: readonly string[];
}) {
  const text = props.isSentence ? props.text : visibleName(props.text);
  const box = useRef<HTMLSpanElement>(null);
  const [room, setRoom] = useState<Room | null>(null);
  useLayoutEffect(() => watch(box.current, setRoom), []);
  const cut = room && cutToFit([text, ...(props.shorter ?? [])], visibleName(props.name ?? ''), room);
  return (
    <span ref={box} className={css.name} dir={props.isSentence ? undefined : 'auto'} title={props.title ?? text}>
      {/* The same element before and after: Chromium went on drawing a text that was put into another one, with its end cut off. */}
      <span className={cut === null ? undefined : css.whole}>{text}</span>
      {cut === null ? null : (
        <span className={css.cut} aria-hidden="true">
          {cut}
        </span>
      )}
    </span>
  );
}

function cutToFit(texts: readonly string[], name: string, { width, letter }: Room): string | null {
  const widthOf = (text: string) => lettersOf(text).reduce((sum, one) => sum + letter(one), 0);
  const shorter = texts.slice(1).find((text) => widthOf(text) <= width - slackPx);
  if (shorter !== undefined) return shorter;
  const last = texts.at(-1) ?? '';
  const [before, ...rest] = name !== '' && last.includes(name) ? last.split(name) : [];
  const after = rest.join(name);
  const around = widthOf(`${before}${after}`);
  // Where the other words leave nothing of it, they are cut with it.
  const isAlone = before === undefined || around > width / 2;
  const letters = lettersOf(isAlone ? last : name);
  const widths = letters.map(letter);
  const room = width - slackPx - letter('…') - (isAlone ? 0 : around);
  const share = letters.includes('@') ? addressShare : tailShare;
  const tail = fitting(widths.toReversed(), room * share, tailLength);
  const head = fitting(widths, room - tail.width, letters.length - tail.count);
  if (head.count + tail.count === letters.length) return null;
  const end = letters.slice(letters.length - tail.count).join('');
  const cut = `${letters.slice(0, head.count).join('').trimEnd()}…${end.trimStart()}`;
  return isAlone ? cut : `${before}${cut}${after}`;
}

/** Number of first letters that fit. */
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

/** Splits a text into graphemes; most names are ASCII and need no segmenter. */
function lettersOf(text: string): readonly string[] {
  return /^[ -~]*$/.test(text) ? text.split('') : Array.from(segmenter.segment(text), ({ segment }) => segment);
}

const watched = new Map<Element, { readonly onRoom: (room: Room | null) => void; isCut: boolean }>();
// One observer for all names. It runs after the layout: reading sizes there costs nothing, and the new width is rendered before the page is painted.
const observer = new ResizeObserver((entries) => measure(entries.map(({ target }) => target)));
document.fonts.addEventListener('loadingdone', () => {
  // The widths measured with fallback fonts are wrong now.
  fonts.clear();
  measure([...watched.keys()]);
});

function watch(box: Element | null, onRoom: (room: Room | null) => void): () => void {
  if (!box) return () => undefined;
  watched.set(box, { onRoom, isCut: false });
  observer.observe(box);
  return () => {
    watched.delete(box);
    observer.unobserve(box);
  };
}

/** Most names fit before and after a change: nothing is rendered for them, which keeps tables fast. */
function measure(boxes: readonly Element[]): void {
  const updates: (() => void)[] = [];
  for (const box of boxes) {
    const one = watched.get(box);
    const isCut = box.scrollWidth > box.clientWidth;
    if (!one || !(isCut || one.isCut)) continue;
    one.isCut = isCut;
    const room = isCut ? { width: box.getBoundingClientRect().width, letter: letterWidths(box) } : null;
    updates.push(() => one.onRoom(room));
  }
  if (updates.length > 0)
    flushSync(() => {
      for (const onRoom of updates) onRoom();
    });
}

/** Returns the rendered width of one letter in px. */
type LetterWidth = (letter: string) => number;

const fonts = new Map<string, Map<string, number>>();
let probe: HTMLSpanElement | null = null;

/**
 * Widths of single letters in the font of `element`, each measured once. Their sum is the width of a text without kerning. A new letter costs a
 * layout; known letters cost nothing.
 */
function letterWidths(element: Element): LetterWidth {
  // Not `font`, which is empty if it cannot express all properties, for example tabular figures.
  const { fontFamily, fontSize, fontStyle, fontWeight, fontVariantNumeric, letterSpacing } = getComputedStyle(element);
  const style = { fontFamily, fontSize, fontStyle, fontWeight, fontVariantNumeric, letterSpacing };
  const key = Object.values(style).join('|');
  return (letter) => {
    // Looked up each time, because loading a font removes all widths.
    const known = fonts.get(key) ?? new Map<string, number>();
    if (known.size === 0) fonts.set(key, known);
    const width = known.get(letter) ?? measured(letter, style);
    known.set(letter, width);
    return width;
  };
}

function measured(letter: string, style: Partial<CSSStyleDeclaration>): number {
  if (!probe) {
    probe = document.createElement('span');
    probe.ariaHidden = 'true';
    Object.assign(probe.style, { position: 'fixed', visibility: 'hidden', whiteSpace: 'pre' });
    document.body.append(probe);
  }
  Object.assign(probe.style, style);
  probe.textContent = letter;
  return probe.getBoundingClientRect().width;
}
