/**
 * Makes a name from a file system or a service safe to show: invisible characters, and characters that reverse the following ones, are replaced by
 * their code. Direction overrides can make `fdp.exe` look like `exe.pdf`.
 */
export function visibleName(name: string): string {
  return name.replaceAll(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (sign) => `‹U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}›`,
  );
}
