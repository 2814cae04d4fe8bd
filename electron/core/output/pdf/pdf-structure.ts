type Element = PDFKit.PDFStructureElement;
type Options = PDFKit.Mixins.StructureElementOptions & { readonly scope?: 'Column' | 'Row' };

/** What programs that read aloud are told: every text stands in an element of the document, all other ink is an artifact. */
export interface Structure {
  /** An element of the document, or below another one, that is filled with others. To be ended. */
  open(type: 'L' | 'LI' | 'Table' | 'TR' | 'TD', below?: Element): Element;
  /** An element that holds what `draw` draws, over as many pages as it takes. */
  put(type: string, draw: () => void, below?: Element, options?: Options): void;
  /** Ink that says nothing by itself, or again: lines, page numbers, repeated headings. */
  artifact(draw: () => void, type?: 'Pagination' | 'Layout'): void;
}

export function structureOf(document: PDFKit.PDFDocument): Structure {
  const root = document.struct('Document');
  document.addStructure(root);
  return {
    open: (type, below = root) => {
      const element = document.struct(type);
      below.add(element);
      return element;
    },
    put: (type, draw, below = root, options = {}) => {
      const content = document.markStructureContent(type);
      draw();
      document.endMarkedContent();
      below.add(document.struct(type, options, [content]));
    },
    artifact: (draw, type = 'Layout') => {
      document.markContent('Artifact', { type });
      draw();
      document.endMarkedContent();
    },
  };
}
