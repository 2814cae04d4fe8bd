export function supervise(
  script: string,
  words?: readonly string[],
  options?: { readonly inMemory?: boolean },
): Promise<number>;
export function memoryFolder(): string | null;
