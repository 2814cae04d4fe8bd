/** A page as it is drawn, as pixels. `scale`: only drawings of the same one can be compared. */
export interface Drawing {
  readonly page: number;
  readonly scale: number;
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array;
}

/** Edges in parts of the page’s width and height. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

type PairMessage =
  | { readonly kind: 'joined' }
  | { readonly kind: 'drawn'; readonly drawing: Drawing }
  | { readonly kind: 'scrolled'; readonly across: number; readonly down: number };

/** Drawings are compared up to this width, in pixels: larger ones cost memory and show no more. */
const mostWidth = 1_200;
/** What differs is found in cells of this part of the page’s width, about a line of text. */
const columns = 48;

/**
 * Joins the viewer of another version of the same file, a frame of the same origin: both scroll alike, and frame on their pages what the other draws differently. `compared`
 * gets how many places those are. For a person’s eyes: a hostile file may draw what it likes.
 */
export function joinPair(name: string, root: HTMLElement, compared: (page: number, places: number) => void) {
  const channel = new BroadcastChannel(name);
  const say = (message: PairMessage) => channel.postMessage(message);
  let mine: { readonly drawing: Drawing; readonly place: HTMLElement } | null = null;
  let theirs: Drawing | null = null;
  let followed: DOMRect | null = null;
  const pagePlace = () => root.firstElementChild?.getBoundingClientRect() ?? new DOMRect();

  const compare = () => {
    if (!mine || !theirs || mine.drawing.page !== theirs.page || mine.drawing.scale !== theirs.scale) return;
    const boxes = differences(mine.drawing, theirs);
    for (const mark of mine.place.querySelectorAll('.change')) mark.remove();
    mine.place.append(...boxes.map(markOf));
    compared(theirs.page, boxes.length);
  };
  channel.addEventListener('message', ({ data }: MessageEvent<PairMessage>) => {
    if (data.kind === 'joined' && mine) say({ kind: 'drawn', drawing: mine.drawing });
    if (data.kind === 'drawn') {
      theirs = data.drawing;
      compare();
    }
    if (data.kind === 'scrolled') {
      const { x, y, width, height } = pagePlace();
      root.scrollBy(x + data.across * width, y + data.down * height);
      followed = pagePlace();
    }
  });
  root.addEventListener('scroll', () => {
    const { x, y, width, height } = pagePlace();
    // Else both would lead each other back while one is scrolled on.
    const isLed = followed?.x === x && followed.y === y;
    followed = null;
    if (!isLed && width > 0) say({ kind: 'scrolled', across: -x / width, down: -y / height });
  });
  say({ kind: 'joined' });
  return {
    /** To be called with each page that is drawn. */
    drawn: (place: HTMLElement, canvas: HTMLCanvasElement, page: number, scale: number) => {
      mine = { drawing: { page, scale, ...pixelsOf(canvas) }, place };
      say({ kind: 'drawn', drawing: mine.drawing });
      compare();
    },
  };
}

function pixelsOf(canvas: HTMLCanvasElement): Pick<Drawing, 'width' | 'height' | 'pixels'> {
  const part = Math.min(1, mostWidth / canvas.width);
  const [width, height] = [Math.ceil(canvas.width * part), Math.ceil(canvas.height * part)];
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  context?.drawImage(canvas, 0, 0, width, height);
  const { buffer } = context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
  return { width, height, pixels: new Uint32Array(buffer) };
}

/** Boxes around neighbouring cells in which any pixel differs; one around the page if its size does. */
function differences(one: Drawing, other: Drawing): readonly Box[] {
  const { width, height, pixels } = one;
  if (width !== other.width || height !== other.height) return [{ left: 0, top: 0, right: 1, bottom: 1 }];
  const side = width / columns;
  const cells = new Set<number>();
  for (const [at, pixel] of pixels.entries())
    if (pixel !== other.pixels[at])
      cells.add(Math.floor(Math.floor(at / width) / side) * columns + Math.floor((at % width) / side));
  return [...cells].flatMap((cell) => {
    const found = takeNeighbours(cells, cell);
    if (found.length === 0) return [];
    const [across, down] = [found.map((each) => each % columns), found.map((each) => Math.floor(each / columns))];
    return {
      left: Math.min(...across) / columns,
      top: (Math.min(...down) * side) / height,
      right: (Math.max(...across) + 1) / columns,
      bottom: Math.min(1, ((Math.max(...down) + 1) * side) / height),
    };
  });
}

/** Takes a cell and all that are connected with it. */
function takeNeighbours(cells: Set<number>, first: number): readonly number[] {
  const found: number[] = [];
  const next = [first];
  for (let cell = next.pop(); cell !== undefined; cell = next.pop()) {
    if (!cells.delete(cell)) continue;
    found.push(cell);
    const across = cell % columns;
    for (const [right, down] of neighbours)
      if (across + right >= 0 && across + right < columns) next.push(cell + right + down * columns);
  }
  return found;
}

const neighbours = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => [right, down] as const));

function markOf({ left, top, right, bottom }: Box): HTMLElement {
  const mark = document.createElement('div');
  mark.className = 'change';
  mark.style.inset = [top, 1 - right, 1 - bottom, left].map((edge) => `${edge * 100}%`).join(' ');
  return mark;
}
