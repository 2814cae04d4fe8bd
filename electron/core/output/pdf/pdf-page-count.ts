import type { Direction } from './pdf-bidi.ts';

const name = 'PageCount';

/** What pdfkit has and its types do not name. */
interface Inner {
  readonly _font: {
    readonly id: string;
    ref(): unknown;
    encode(text: string): readonly [encoded: readonly string[], positions: unknown];
  };
}

/** The number of all pages, which is drawn on every page and known only at the end: one form that all pages refer to, so that pages can be written before. */
export type PageCount = ReturnType<typeof pageCountOf>;

/** `font`: a registered one, which has digits. */
export function pageCountOf(document: PDFKit.PDFDocument, font: string, sizePt: number, direction: Direction) {
  const inner = () => document.font(font).fontSize(sizePt) as unknown as Inner;
  const { _font } = inner();
  const form = document.ref({
    ...{ Type: 'XObject', Subtype: 'Form', BBox: [-100, -sizePt, 100, 2 * sizePt] },
    Resources: { Font: { [_font.id]: _font.ref() } },
  });
  return {
    /** Draws it at this place of the current page: where the number begins, or ends in a report from right to left. */
    draw: (x: number, y: number): void => {
      const page = document.page as unknown as { readonly xobjects: Record<string, unknown> };
      page.xobjects[name] = form;
      // The page's lines run downwards, those of the form upwards.
      document.addContent(`q 1 0 0 -1 ${x.toFixed(2)} ${y.toFixed(2)} cm /${name} Do Q`);
    },
    /** Gives it its text. Call it once, before the document ends. */
    end: (total: number): void => {
      const text = String(total);
      const { _font: current } = inner();
      const [glyphs] = current.encode(text);
      const start = direction === 'rtl' ? -document.widthOfString(text) : 0;
      const grey = '0.361 0.353 0.325 rg';
      form.end(`BT ${grey} /${current.id} ${sizePt} Tf ${start.toFixed(2)} 0 Td <${glyphs.join('')}> Tj ET`);
    },
  };
}
