import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Order } from './messages.ts';

/** Pages that have a place at the same time: a file may say that it has any number. */
const placesAtOnce = 100;
/** Of one drawn page. A page may say that it is as large as a house. */
const mostPixels = 8_000_000;
const mostSide = 8_192;
/** After this a page is given up; others go on. */
const drawMs = 20_000;
const mostWords = 20_000;
const usual = { width: 595, height: 842 } as const;

export interface Pages {
  show(page: number): void;
  zoom(factor: number): void;
}

/** The pages as places of about the right size; what comes into sight is drawn, what goes is let go. */
export function showPages(
  file: PDFDocumentProxy,
  root: HTMLElement,
  order: Order,
  seenPage: (page: number) => void,
): Pages {
  const drawings = new Map<HTMLElement, () => void>();
  let factor = 1;
  let first = 1;
  let size: { readonly width: number; readonly height: number } = usual;

  // A scrolling box must be reachable by keyboard.
  root.tabIndex = 0;
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const place = target as HTMLElement;
        if (isIntersecting && !drawings.has(place)) drawings.set(place, draw(file, place, order));
        else if (!isIntersecting) letGo(place);
      }
    },
    { root, rootMargin: '400px' },
  );
  const letGo = (place: HTMLElement) => {
    drawings.get(place)?.();
    drawings.delete(place);
  };
  const placeOf = (page: number): HTMLElement | null => root.querySelector(`[data-page="${page}"]`);
  const layOut = (from: number) => {
    first = Math.max(1, Math.min(from, file.numPages - placesAtOnce + 1));
    for (const place of [...root.children]) letGo(place as HTMLElement);
    watcher.disconnect();
    const last = Math.min(file.numPages, first + placesAtOnce - 1);
    root.replaceChildren(
      ...Array.from({ length: last - first + 1 }, (_, at) => emptyPlace(first + at, size, factor, order)),
    );
    for (const place of root.children) watcher.observe(place);
  };
  const nowAt = () => {
    const middle = root.scrollTop + root.clientHeight / 3;
    const place = [...root.children].findLast((one) => (one as HTMLElement).offsetTop <= middle);
    return Number((place as HTMLElement | undefined)?.dataset.page ?? first);
  };
  root.addEventListener('scroll', () => seenPage(nowAt()), { passive: true });

  const show = (page: number) => {
    if (!placeOf(page)) layOut(page - Math.floor(placesAtOnce / 2));
    placeOf(page)?.scrollIntoView();
  };
  // A wish may come before the size of the pages is known.
  let wanted: number | null = 1;
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
    show: (page) => {
      if (wanted === null) show(page);
      else wanted = page;
    },
    zoom: (next) => {
      const page = nowAt();
      factor = next;
      layOut(first);
      placeOf(page)?.scrollIntoView();
    },
  };
}

function emptyPlace(
  page: number,
  size: typeof usual | { width: number; height: number },
  factor: number,
  order: Order,
) {
  const place = document.createElement('section');
  place.className = 'page';
  place.dataset.page = String(page);
  place.setAttribute('aria-label', order.pageLabel.replace('{n}', String(page)));
  place.style.width = `min(${Math.round(size.width * 1.33 * factor)}px, ${Math.round(96 * factor)}%)`;
  place.style.aspectRatio = `${size.width} / ${size.height}`;
  return place;
}

/** Draws a page into its place; answers what lets it go again. */
function draw(file: PDFDocumentProxy, place: HTMLElement, order: Order): () => void {
  let isGone = false;
  let cancel: () => void = () => undefined;
  const late = setTimeout(() => {
    cancel();
    trouble(place, order);
  }, drawMs);
  const work = async () => {
    const page = await file.getPage(Number(place.dataset.page));
    if (isGone) return page.cleanup();
    const { width, height } = sane(page);
    place.style.aspectRatio = `${width} / ${height}`;
    const canvas = document.createElement('canvas');
    const task = page.render({ canvas, viewport: viewportFor(page, canvas, place.clientWidth, width, height) });
    cancel = () => task.cancel();
    await task.promise;
    if (isGone) return;
    const words = document.createElement('p');
    words.className = 'words';
    words.textContent = await wordsOf(page);
    if (!isGone) place.replaceChildren(canvas, words);
  };
  work()
    .catch(() => (isGone ? undefined : trouble(place, order)))
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

/** For screen readers, which cannot read a picture. */
async function wordsOf(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  let text = '';
  for (const item of items) {
    if ('str' in item) text += item.str + (item.hasEOL ? '\n' : ' ');
    if (text.length > mostWords) break;
  }
  return text.slice(0, mostWords);
}

function trouble(place: HTMLElement, order: Order): void {
  const words = document.createElement('p');
  words.className = 'trouble';
  words.textContent = order.pageTrouble.replace('{n}', place.dataset.page ?? '');
  place.replaceChildren(words);
}

function sane(page: PDFPageProxy): { readonly width: number; readonly height: number } {
  const { width, height } = page.getViewport({ scale: 1 });
  const isSane =
    width >= 1 && height >= 1 && Number.isFinite(width * height) && Math.max(width / height, height / width) < 50;
  return isSane ? { width, height } : usual;
}
