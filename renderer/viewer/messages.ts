/** Parameters that the page passes to the viewer in its address. */
export interface ViewerOptions {
  readonly token: string;
  readonly sizeBytes: number;
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly theme: 'system' | 'light' | 'dark';
  /** Text in the person's language, with `{n}` for the page number. */
  readonly pageLabel: string;
  readonly pageTrouble: string;
  /** `first`: nothing but the first page, which cannot be scrolled; `one`: one page at a time, which only commands change. */
  readonly shows: 'all' | 'one' | 'first';
  /** Shown at the beginning. */
  readonly page: number;
  /** What the viewers of two versions of a file know each other by, which show one page each; null of one that is alone. */
  readonly pair: string | null;
}

/** Commands from the page to the viewer. */
export type ViewerCommand =
  | { readonly command: 'page'; readonly page: number }
  | { readonly command: 'zoom'; readonly zoom: number };

/** What the viewer sends. The page must not trust it: a hostile PDF may control the viewer. */
export type ViewerMessage =
  | { readonly kind: 'alive' }
  | { readonly kind: 'escape' }
  | { readonly kind: 'ready'; readonly pages: number }
  | { readonly kind: 'page'; readonly page: number }
  | { readonly kind: 'compared'; readonly page: number; readonly places: number }
  | { readonly kind: 'failed'; readonly why: 'password' | 'broken' | 'gone' };

export const whyFailed: readonly string[] = ['password', 'broken', 'gone'];
