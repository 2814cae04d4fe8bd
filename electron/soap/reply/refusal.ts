import type { Failure } from '../../../contract/failure.ts';
import { type AppError, appError } from '../../core/foundation/app-error.ts';

/** Codes for a wrong key or signature. */
const wrongCredentials = new Set(['-121', '-122']);

/** Length of the service's own text in a failure. */
export const maxRaw = 2000;

/**
 * The failure for a negative code in a successful reply: credentials-rejected if key or signature are wrong, else
 * service-refused; both with the code and the service's own text.
 */
export function refusal(code: string, raw: string): AppError {
  const meaning = serviceCodes.get(code)?.meaning ?? 'unknown code';
  return appError(
    wrongCredentials.has(code) ? 'credentials-rejected' : 'service-refused',
    `the service answered ${code}: ${meaning}`,
    { detail: 'negative-code', serviceCode: code, raw: raw.slice(0, maxRaw) },
  );
}

/** True for a refusal by any SOAP fault, false for a code in a reply. */
export function isFault({ code, detail }: Failure): boolean {
  return code === 'service-refused' && detail !== 'negative-code';
}

/** A code's known meaning in English, and whether the service examined the file or document. */
export interface ServiceCode {
  readonly meaning: string;
  /**
   * `unexamined`: the service did not examine it (credentials, account, an unusable file), so a verification has no
   * answer. `open`: it may have examined it and did not say.
   */
  readonly kind: 'unexamined' | 'open';
}

const rows: readonly (readonly [codes: string, meaning: string, kind?: ServiceCode['kind']])[] = [
  ['-100', 'Unspecified failure', 'open'],
  ['-121 -122', 'Key, signature or token is wrong'],
  ['-123', 'A required field is empty'],
  ['-124', 'Nothing found, or wrong credentials', 'open'],
  ['-130', 'No credit type chosen'],
  ['-140', 'Not enough document credits'],
  ['-141', 'Not enough prepaid credits'],
  ['-142', 'Prepaid credits are locked while processing'],
  ['-143', 'The file is too large'],
  ['-144', 'Not enough phone credits'],
  ['-145', 'The PDF is encrypted or protected by a password'],
  ['-150', 'The file is not a PDF'],
  ['-151', 'The document ID is not valid'],
  ['-152', 'E-mail addresses are not valid or not separated by semicolons'],
  ['-153', 'No valid e-mail address'],
  ['-154', 'The caller is not the owner'],
  ['-155', 'The PDF is not valid, perhaps encrypted'],
  ['-156', 'The PDF is empty'],
  ['-157', 'The template ID is not valid'],
  ['-158', 'The template was not found'],
  ['-159', 'The user is not valid'],
  ['-160', 'A signature request needs two prepaid credits'],
  ['-161', 'No valid recipient; the owner’s own address may not be one'],
  ['-162', 'A signer name or a signature is missing'],
  ['-163', 'The handshake key or the user is not valid'],
  ['-170', 'The note failed'],
  ['-171', 'The message is missing'],
  ['-172', 'No note credits'],
  ['-180', 'The account has no subscription'],
  ['-181', 'The subscription has ended'],
  ['-182', 'Larger than the space that is left'],
  ['-183', 'The subscription is disabled'],
  ['-184', 'API access is not permitted'],
  ['-185', 'Not enough e-signature credits'],
  ['-191', 'ID verification is not permitted'],
  ['-192', 'No credits for ID verification'],
  ['-193', 'Signature placement is not in this edition'],
  ['-194', 'The child account is not known'],
  ['-301 -302 -303 -304 -305 -306 -307 -308', 'The template is missing, not valid, too large, protected or corrupt'],
  ['-999', 'The operation is no longer offered'],
];

/** The known negative codes by their text. These are defaults: a service may use them otherwise, so the number is always shown too. */
export const serviceCodes: ReadonlyMap<string, ServiceCode> = new Map(
  rows.flatMap(([codes, meaning, kind = 'unexamined']) =>
    codes.split(' ').map((code) => [code, { meaning, kind }] as const),
  ),
);
