/** Words in the names of secrets, as interfaces, headers and forms write them. */
const words =
  'api[-_ ]?(?:key|sig)|signature[-_ ]?key|secret|token|passw(?:or)?d|passphrase|credential|authorization|cookie|private[-_ ]?key';
const secretName = new RegExp(words, 'i');
/** The rest of a name, an end of its quotes or element, and what stands between it and its value. */
const named = new RegExp(
  String.raw`((?:${words})\w{0,20}(?:\\{0,4}["'])?\s{0,4}(?:[:=]|>)\s{0,4}(?:\\{0,4}["'])?(?:(?:Basic|Bearer|Negotiate|NTLM) )?)[^\s"'<>&,;\\]{3,}`,
  'gi',
);

/** True if a field of this name is never written, whatever it holds. */
export function fieldIsSecret(name: string): boolean {
  return secretName.test(name);
}

/** Replaces values that a text names as secrets: `apiKey=…`, `"password": "…"`, `<apiSig>…</apiSig>`, `Authorization: Basic …`. */
export function redactNamed(text: string): string {
  return text.replace(named, '$1•••');
}
