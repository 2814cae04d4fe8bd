type Element = PDFKit.PDFStructureElement;
type Options = PDFKit.Mixins.StructureElementOptions & { readonly scope?: 'Column' | 'Row' };

/** The document's structure for screen readers: every text is in an element, all other drawing is an artifact. */
export interface Structure {
  /** Adds an element for other elements to the document, or below another one. The caller must end it. */
  open(type: 'L' | 'LI' | 'Table' | 'TR' | 'TD', below?: Element): Element;
  /** Adds an element for the text that `draw` draws, also over several pages. */
  put(type: string, draw: () => void, below?: Element, options?: Options): void;
  /** Marks drawing without content of its own: lines, page numbers, repeated headings. */
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
