import { type RefObject, useEffect } from 'react';
import { folded } from '../../contract/text.ts';

/** Name of the marks in styles: `::highlight(search)`. */
const markName = 'search';

/**
 * Marks in the lists of the field's page or dialog (data-marked) what its text matches: beginnings of words, as searches compare them, or any place where no word begins so. The
 * page itself stays as it is, so that nothing is drawn again, and no cell need know of the search.
 */
export function useMarks(field: RefObject<HTMLElement | null>, search: string): void {
  useEffect(() => {
    const words = search.split(/\s+/).map(folded).filter(Boolean);
    const root = field.current?.closest('[role="dialog"], main');
    if (!root || words.length === 0) return;
    const mark = () => {
      const ranges = rangesOf(
        [...root.querySelectorAll('[data-marked]')].filter((list) => list.checkVisibility()),
        words,
      );
      CSS.highlights.set(markName, new Highlight(...ranges));
    };
    let frame = requestAnimationFrame(mark);
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    });
    observer.observe(root, { subtree: true, childList: true, characterData: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      CSS.highlights.delete(markName);
    };
  }, [field, search]);
}

function rangesOf(lists: readonly Element[], words: readonly string[]): Range[] {
  const texts = lists.flatMap((list) => textsIn(list));
  return words.flatMap((word) => {
    const begins = texts.flatMap((text) => matchesIn(text, word, true));
    return begins.length > 0 ? begins : texts.flatMap((text) => matchesIn(text, word, false));
  });
}

interface FoldedText {
  readonly node: Text;
  readonly text: string;
  /** For each letter of the text its place in the node, and the place of the end. */
  readonly places: readonly number[];
}

function textsIn(list: Element): FoldedText[] {
  const walker = document.createTreeWalker(list, NodeFilter.SHOW_TEXT);
  const texts: FoldedText[] = [];
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
    // States, times and what buttons do are not searched.
    if (!node.parentElement?.closest('button:not([data-opens]), time, [data-chip]')) texts.push(foldedText(node));
  }
  return texts;
}

function foldedText(node: Text): FoldedText {
  const places: number[] = [];
  let text = '';
  for (let place = 0; place < node.data.length; place += 1) {
    const letters = folded(node.data.charAt(place));
    text += letters;
    places.push(...Array.from(letters, () => place));
  }
  return { node, text, places: [...places, node.data.length] };
}

function matchesIn({ node, text, places }: FoldedText, word: string, isBeginning: boolean): Range[] {
  const ranges: Range[] = [];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    if (isBeginning && /[\p{L}\p{N}]/u.test(text.charAt(at - 1))) continue;
    const range = document.createRange();
    range.setStart(node, places[at] ?? 0);
    range.setEnd(node, places[at + word.length] ?? node.data.length);
    ranges.push(range);
  }
  return ranges;
}
