/** Run in the page: texts that are not from the pseudo-locale, and texts that are cut without a way to read them. `data`: what may stand as it is. */
export function findOnScreen(data: string): { readonly hardCoded: string[]; readonly cut: string[] } {
  /** Elements whose content is data by their nature: names, IDs, values of fields, and what is said in one language to everybody, marked as that. */
  const dataIn =
    'body [lang], code, bdi, kbd, pre, time, samp, [dir="auto"], [translate="no"], [contenteditable], textarea';
  const known = new RegExp(data, 'g');
  const isShown = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const isForeign = (text: string) => {
    let rest = text;
    for (let before = ''; before !== rest; ) {
      before = rest;
      rest = rest.replaceAll(/⟦[^⟦⟧]*⟧/g, ' ');
    }
    rest = rest.replaceAll(/[\u2068\u2069]/g, '').replaceAll(known, ' ');
    // Dates, times and sizes come from Intl, with the names of months and units.
    return /\p{L}{3,}/u.test(rest) && !(/\d/.test(rest) && rest.trim().length <= 40);
  };
  const hardCoded: string[] = [];
  const cut: string[] = [];
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest('script, style, svg') || !isShown(element)) continue;
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
      const value = element.getAttribute(name);
      if (value && !element.closest(dataIn) && isForeign(value)) hardCoded.push(`${name} ${value}`);
    }
    const own = [...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.nodeValue ?? '');
    const text = own.join('').trim();
    if (text === '') continue;
    if (!element.closest(dataIn) && isForeign(text)) hardCoded.push(text);
    const style = getComputedStyle(element);
    const isCut =
      style.overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 2;
    if (isCut && !element.closest('[title], [dir="auto"], [aria-hidden="true"], input, textarea, pre'))
      cut.push(text.slice(0, 60));
  }
  return { hardCoded: [...new Set(hardCoded)], cut: [...new Set(cut)] };
}
