export function supervise(
  script: string,
  words?: readonly string[],
  options?: { readonly inMemory?: boolean },
): Promise<number>;
export function supervised(script: string): Promise<void>;
export function memoryFolder(): string | null;
