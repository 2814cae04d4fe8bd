/** Elements of the page that is shown: those of pages that can be gone back to are hidden. */
export function shown(selector: string): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(selector)].filter((one) => one.checkVisibility());
}

/** Opens the row of the list after (1) or before (-1) the open one, or the first one. The buttons that open rows are marked with data-opens, the open one's with aria-current. */
export function openBeside(by: -1 | 1): void {
  const rows = shown('[data-opens]');
  const at = rows.findIndex((row) => row.getAttribute('aria-current') === 'true');
  const next = at === -1 ? rows[0] : rows[at + by];
  next?.scrollIntoView({ block: 'nearest' });
  // Where the panel covers the list, the focus stays in the panel.
  next?.focus({ preventScroll: true });
  next?.click();
}
