import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { ViewerMessage, ViewerOptions } from './messages.ts';
import { joinPair } from './pair.ts';

/** Limit of page placeholders at the same time, because a file may claim any number of pages. */
const placesAtOnce = 100;
/** Limit of pixels of one rendered page, because a page may claim any size. */
const mostPixels = 8_000_000;
const mostSide = 8_192;
/** Time after which rendering a page is given up, in milliseconds; other pages continue. */
const drawMs = 20_000;
const mostWords = 20_000;
const usual = { width: 595, height: 842 } as const;

export type Pages = ReturnType<typeof showPages>;

type Pair = ReturnType<typeof joinPair> | null;

/** Shows the pages as placeholders of about the right size; pages are rendered when they come into sight and released when they leave it. */
export function showPages(
  file: PDFDocumentProxy,
  root: HTMLElement,
  options: ViewerOptions,
  send: (message: ViewerMessage) => void,
) {
  const compared = (page: number, places: number) => send({ kind: 'compared', page, places });
  const pair = options.pair === null ? null : joinPair(options.pair, root, compared);
  const places = createPlaces(file, root, options, pair);
  let factor = 1;
  let first = 1;
  let size: { readonly width: number; readonly height: number } = usual;

  const count = options.shows === 'first' ? 1 : file.numPages;
  const atOnce = options.shows === 'one' ? 1 : placesAtOnce;

  // A scrolling box must be reachable by keyboard.
  if (options.shows === 'first') root.dataset.first = '';
  else root.tabIndex = 0;
  const placeOf = (page: number): HTMLElement | null => root.querySelector(`[data-page="${page}"]`);
  // Scrolling it into view would also scroll what is around the frame, and its buttons out of sight.
  const scrollTo = (page: number) => root.scrollTo({ top: placeOf(page)?.offsetTop ?? 0 });
  const layOut = (from: number) => {
    first = Math.max(1, Math.min(from, count - atOnce + 1));
    const last = Math.min(count, first + atOnce - 1);
    places.replace(Array.from({ length: last - first + 1 }, (_, at) => emptyPlace(first + at, size, factor, options)));
  };
  const nowAt = () => pageAt(root) ?? first;
  root.addEventListener('scroll', () => send({ kind: 'page', page: nowAt() }), { passive: true });

  const show = (page: number) => {
    if (!placeOf(page)) layOut(page - Math.floor(atOnce / 2));
    scrollTo(page);
  };
  // A page may be requested before the size of the pages is known.
  let wanted: number | null = Math.min(count, options.page);
  void file
    .getPage(1)
    .then((page) => {
      size = sane(page);
    })
    .catch(() => undefined)
    .finally(() => {
      show(wanted ?? 1);
      wanted = null;
    });
  return {
    show: (page: number) => {
      if (wanted === null) show(page);
      else wanted = page;
    },
    zoom: (next: number) => {
      const page = nowAt();
      factor = next;
      layOut(first);
      scrollTo(page);
    },
  };
}

/** The page that is read, a little below the upper edge; null if there is none. */
function pageAt(root: HTMLElement): number | null {
  const middle = root.scrollTop + root.clientHeight / 3;
  const place = [...root.children].findLast((one) => (one as HTMLElement).offsetTop <= middle);
  const page = (place as HTMLElement | undefined)?.dataset.page;
  return page === undefined ? null : Number(page);
}

/** The placeholders in `root`: their pages are rendered when they come into sight and released when they leave it. */
function createPlaces(file: PDFDocumentProxy, root: HTMLElement, options: ViewerOptions, pair: Pair) {
  const drawings = new Map<HTMLElement, () => void>();
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const place = target as HTMLElement;
        if (isIntersecting && !drawings.has(place)) drawings.set(place, draw(file, place, options, pair));
        else if (!isIntersecting) letGo(place);
      }
    },
    { root, rootMargin: '400px' },
  );
  const letGo = (place: HTMLElement) => {
    drawings.get(place)?.();
    drawings.delete(place);
  };
  return {
    replace: (places: readonly HTMLElement[]) => {
      for (const place of [...root.children]) letGo(place as HTMLElement);
      watcher.disconnect();
      root.replaceChildren(...places);
      for (const place of places) watcher.observe(place);
    },
  };
}

function emptyPlace(
  page: number,
  size: typeof usual | { width: number; height: number },
  factor: number,
  options: ViewerOptions,
) {
  const place = document.createElement('section');
  place.className = 'page';
  place.dataset.page = String(page);
  place.dataset.zoom = String(factor);
  place.setAttribute('aria-label', options.pageLabel.replace('{n}', String(page)));
  place.style.width = `min(${Math.round(size.width * 1.33 * factor)}px, ${Math.round(96 * factor)}%)`;
  place.style.aspectRatio = `${size.width} / ${size.height}`;
  return place;
}

/** Renders a page into its placeholder; returns the function that releases it. */
function draw(file: PDFDocumentProxy, place: HTMLElement, options: ViewerOptions, pair: Pair): () => void {
  let isGone = false;
  let cancel: () => void = () => undefined;
  const late = setTimeout(() => {
    cancel();
    trouble(place, options);
  }, drawMs);
  const work = async () => {
    const number = Number(place.dataset.page);
    const page = await file.getPage(number);
    if (isGone) return page.cleanup();
    const { width, height } = sane(page);
    place.style.aspectRatio = `${width} / ${height}`;
    const canvas = document.createElement('canvas');
    // The places of a pair may differ by a pixel, and only drawings of the same size can be compared.
    const zoom = Number(place.dataset.zoom);
    const shown = pair ? width * 1.33 * zoom : place.clientWidth;
    const task = page.render({ canvas, viewport: viewportFor(page, canvas, shown, width, height) });
    cancel = () => task.cancel();
    await task.promise;
    if (isGone) return;
    const words = document.createElement('p');
    words.className = 'words';
    words.textContent = await wordsOf(page);
    if (isGone) return;
    place.replaceChildren(canvas, words);
    pair?.drawn(place, canvas, number, zoom * window.devicePixelRatio);
  };
  work()
    .catch(() => (isGone ? undefined : trouble(place, options)))
    .finally(() => clearTimeout(late));
  return () => {
    isGone = true;
    clearTimeout(late);
    cancel();
    place.replaceChildren();
  };
}

function viewportFor(page: PDFPageProxy, canvas: HTMLCanvasElement, shown: number, width: number, height: number) {
  const wanted = (shown * window.devicePixelRatio) / width;
  const bearable = Math.min(Math.sqrt(mostPixels / (width * height)), mostSide / Math.max(width, height));
  const viewport = page.getViewport({ scale: Math.min(wanted, bearable) });
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  return viewport;
}

/** The text of a page for screen readers, which cannot read an image. */
async function wordsOf(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  let text = '';
  for (const item of items) {
    if ('str' in item) text += item.str + (item.hasEOL ? '\n' : ' ');
    if (text.length > mostWords) break;
  }
  return text.slice(0, mostWords);
}

function trouble(place: HTMLElement, options: ViewerOptions): void {
  const words = document.createElement('p');
  words.className = 'trouble';
  words.textContent = options.pageTrouble.replace('{n}', place.dataset.page ?? '');
  place.replaceChildren(words);
}

function sane(page: PDFPageProxy): { readonly width: number; readonly height: number } {
  const { width, height } = page.getViewport({ scale: 1 });
  const isSane =
    width >= 1 && height >= 1 && Number.isFinite(width * height) && Math.max(width / height, height / width) < 50;
  return isSane ? { width, height } : usual;
}
