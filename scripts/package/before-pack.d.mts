/** Gives everything in these sources that is packed the modes of a package. */
export function settleModes(root: string): void;
