import type { LucideIcon } from 'lucide-react';

/** One entry of the palette. */
export interface Entry {
  readonly id: string;
  readonly text: string;
  readonly aside?: string;
  /** Other texts by which it is found. */
  readonly also?: readonly string[];
  readonly icon: LucideIcon;
  readonly act: () => void;
}
