import type { Page } from 'playwright-core';

/**
 * What does not fit: parts that scroll sideways, controls and headings outside of the window or covered by others, marks whose text is cut, headings
 * that are not above their columns, and lists of which not even two rows can be seen. Looks at the topmost dialog, else at the screen.
 */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const problems: string[] = [];
    const nameOf = ({ tagName, className, textContent }: Element) =>
      `${tagName.toLowerCase()}.${className} “${textContent?.trim().slice(0, 40)}”`;
    const twoRows = Math.min(80, innerHeight / 5);
    const isSeen = (part: Element) => part.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const layers = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"], [role="menu"]')];
    const layer = layers.findLast(isSeen) ?? document.querySelector('main') ?? document.body;
    const inLayer = <T extends Element>(selector: string) => [...layer.querySelectorAll<T>(selector)].filter(isSeen);

    for (const part of [document.documentElement, layer, ...inLayer<HTMLElement>('*')]) {
      const { overflowX, overflowY } = getComputedStyle(part);
      const scrolls = (value: string) => value === 'auto' || value === 'scroll';
      // Columns need both directions (WCAG 1.4.10), and so does a text that must not be wrapped; counts stay in one line.
      const isWide = part.matches('[role="grid"], [role="radiogroup"], pre, textarea');
      const more = part.scrollWidth - part.clientWidth;
      if (!isWide && (scrolls(overflowX) || part === document.documentElement) && more > 1)
        problems.push(`${nameOf(part)} scrolls sideways by ${more}`);
      if (scrolls(overflowY) && part.clientHeight < twoRows && part.scrollHeight > part.clientHeight + 1)
        problems.push(`${nameOf(part)} is ${part.clientHeight} high`);
    }
    for (const control of inLayer('button, input, textarea, h1, h2')) {
      // In a date field react-aria keeps one more input, which nobody sees or reaches.
      if (control.closest('[role="grid"], [role="radiogroup"], [aria-hidden="true"]')) continue;
      const { left, right, width, height } = control.getBoundingClientRect();
      if (width > 2 && height > 2 && (left < -1 || right > innerWidth + 1))
        problems.push(`${nameOf(control)} reaches from ${Math.round(left)} to ${Math.round(right)} of ${innerWidth}`);
    }
    // A state is one or two words: nobody should need the tooltip for them.
    // One pixel wide: for screen readers only.
    for (const mark of inLayer('[class*="_chip_"] > span, button, h1'))
      if (
        getComputedStyle(mark).overflowX !== 'visible' &&
        mark.clientWidth > 1 &&
        mark.scrollWidth > mark.clientWidth + 1
      )
        problems.push(`${nameOf(mark)} is cut`);
    for (const heading of inLayer<HTMLElement>('[role="grid"] [role="columnheader"]')) {
      const at = [...(heading.parentElement?.children ?? [])].indexOf(heading);
      const row = heading.closest('[role="grid"]')?.querySelector('[role="row"][aria-rowindex="2"]');
      const cell = row?.children[at]?.getBoundingClientRect();
      const { left, right } = heading.getBoundingClientRect();
      if (cell && (Math.abs(cell.left - left) > 1 || Math.abs(cell.right - right) > 1))
        problems.push(`${nameOf(heading)} is not above its column`);
    }
    for (const control of inLayer('button, h1')) {
      const { x, y, width, height } = control.getBoundingClientRect();
      const [middleX, middleY] = [x + width / 2, y + height / 2];
      if (height === 0) continue;
      /** Null: in sight. Else whether it can be scrolled into sight. */
      let isBelow: boolean | null = null;
      let canScroll = false;
      for (let box = control.parentElement; box && isBelow === null; box = box.parentElement) {
        const { overflowY } = getComputedStyle(box);
        if (overflowY === 'visible') continue;
        canScroll ||= overflowY !== 'hidden' && box.scrollHeight > box.clientHeight + 1;
        const { top, bottom } = box.getBoundingClientRect();
        if (middleY < top + 1 || middleY > bottom - 1) isBelow = canScroll;
      }
      if (isBelow === false) problems.push(`${nameOf(control)} cannot be reached`);
      if (isBelow !== null) continue;
      // Counters that have no room on their one line are scrolled into sight.
      const line = control.closest('[role="radiogroup"]')?.getBoundingClientRect();
      if (line && (middleX < line.left || middleX > line.right)) continue;
      const over = document.elementFromPoint(middleX, middleY);
      // What scrolls below a bar that stays can be scrolled out again.
      let bar = over;
      while (bar && getComputedStyle(bar).position !== 'sticky') bar = bar.parentElement;
      if (bar && !bar.contains(control) && canScroll) continue;
      if (!control.contains(over)) problems.push(`${nameOf(control)} is covered by ${over ? nameOf(over) : 'nothing'}`);
    }
    return problems;
  });
}
