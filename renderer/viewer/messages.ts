/** What the page tells the viewer with its address. */
export interface Order {
  readonly token: string;
  readonly sizeBytes: number;
  readonly language: string;
  readonly theme: 'system' | 'light' | 'dark';
  /** Words of the person's language, with `{n}` for the page's number. */
  readonly pageLabel: string;
  readonly pageTrouble: string;
}

/** What the page may ask of the viewer afterwards. */
export type Wish = { readonly wish: 'page'; readonly page: number } | { readonly wish: 'zoom'; readonly zoom: number };

/** What the viewer tells. Whoever hears it must not believe it: a hostile PDF may have taken the viewer over. */
export type ViewerMessage =
  | { readonly told: 'alive' }
  | { readonly told: 'escape' }
  | { readonly told: 'ready'; readonly pages: number }
  | { readonly told: 'page'; readonly page: number }
  | { readonly told: 'failed'; readonly why: 'password' | 'broken' | 'gone' };

export const whyFailed: readonly string[] = ['password', 'broken', 'gone'];
