import type { WsdlOnto, WsdlProposal, WsdlRemark } from '../../../contract/connections.ts';
import { offeredAt, type WsdlPort } from '../../soap/wsdl/read-wsdl.ts';
import { isInClear, serviceAddress } from './service-address.ts';

type PathName = 'mainPath' | 'easySignPath';

/** The address that a WSDL was requested from and the one after redirects; null for a file. */
export type ReadAt = { readonly asked: URL; readonly reached: URL } | null;

interface Input {
  readonly ports: readonly WsdlPort[];
  readonly readAt: ReadAt;
  readonly onto: WsdlOnto | undefined;
}

const easySignEnd = '/easysign/v2/easysign.asmx';

function httpUrl(text: string, base?: URL): URL | null {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : null;
  return url && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : null;
}

/** The address without user name, query and fragment. */
function addressText({ origin, pathname }: URL): string {
  return origin + pathname;
}

/** The form's base address as a URL; null if it cannot be saved yet (half typed). */
function baseOf(onto: WsdlOnto | undefined): URL | null {
  const url = httpUrl(onto?.baseUrl.trim() ?? '');
  return url && !/[\s@?#]/.test(onto?.baseUrl.trim() ?? '') ? url : null;
}

/** The URL of one of the two paths as the form has it; null if the form has none. */
function currentUrl(base: URL | null, onto: WsdlOnto | undefined, path: PathName): URL | null {
  if (!base || !onto || !/^\/[^\s?#]/.test(onto[path].trim())) return null;
  return serviceAddress({ ...onto, baseUrl: base.href, [path]: onto[path].trim() }, path);
}

/**
 * Chooses one of a description's ports: the one at the path the WSDL was read from, else the one that offers most
 * operations.
 */
function chosenPort(ports: readonly WsdlPort[], kind: 'main' | 'easy-sign', readAt: ReadAt, base: URL | null) {
  const offers = ports
    .map((port) => ({ port, count: offeredAt(port, kind).length, url: resolved(port, readAt, base) }))
    .filter(({ count }) => count > 0);
  const typed = readAt?.reached.pathname.toLowerCase();
  const rank = ({ count, url }: (typeof offers)[number]) =>
    (url ? 1_000 : 0) + (url?.pathname.toLowerCase() === typed ? 100 : 0) + count;
  const [best, ...others] = [...offers].sort((a, b) => rank(b) - rank(a));
  return (
    best && {
      ...best,
      others: others.flatMap(({ url }) =>
        url && addressText(url) !== (best.url && addressText(best.url)) ? [addressText(url)] : [],
      ),
    }
  );
}

/** Resolves a port's address; a relative one against the address the description was read from. */
function resolved({ address }: WsdlPort, readAt: ReadAt, base: URL | null): URL | null {
  return address === '' ? null : httpUrl(address, readAt?.reached ?? base ?? undefined);
}

/** The common prefix of both paths: what precedes Easy Sign's fixed path, else the prefix in the form, else none. */
function prefixOf(main: string | null, easySign: string | null, before: string): string {
  const isBefore = (prefix: string) => [main, easySign].every((path) => path === null || path.startsWith(`${prefix}/`));
  const fixed = easySign?.toLowerCase().endsWith(easySignEnd) ? easySign.slice(0, -easySignEnd.length) : null;
  if (fixed !== null && isBefore(fixed)) return fixed;
  return isBefore(before) && easySign !== null ? before : '';
}

interface FoundUrls {
  readonly main: URL | null;
  readonly easySign: URL | null;
}

/** The addresses that the description names. Adds a remark for each one that is ambiguous or unusable. */
function described({ ports, readAt, onto }: Input, remarks: WsdlRemark[]): FoundUrls {
  const base = baseOf(onto);
  const find = (kind: 'main' | 'easy-sign', about: PathName): URL | null => {
    const chosen = chosenPort(ports, kind, readAt, base);
    if (!chosen) return null;
    if (chosen.others.length > 0 && chosen.url) {
      const was = [...new Set(chosen.others)].slice(0, 5).join(', ');
      remarks.push({ kind: 'several-addresses', about, was, now: addressText(chosen.url) });
    }
    if (chosen.url) return chosen.url;
    const instead = readAt && /^\?(single)?wsdl$/i.test(readAt.asked.search) ? readAt.reached : null;
    const now = instead ? addressText(instead) : '';
    remarks.push({ kind: 'address-unusable', about, was: chosen.port.address.slice(0, 500), now });
    return instead;
  };
  return { main: find('main', 'mainPath'), easySign: find('easy-sign', 'easySignPath') };
}

/**
 * Scheme, host and port of the connection. The address that a person typed wins over the one that a server names:
 * behind a proxy that ends TLS the server knows only its inner address. For a file there is no typed address; even
 * then https never becomes http.
 */
function originOf({ readAt, onto }: Input, { main, easySign }: FoundUrls): string | null {
  if (readAt) return readAt.reached.origin;
  const wsdlUrl = main ?? easySign;
  const base = baseOf(onto);
  if (!wsdlUrl || !base) return wsdlUrl?.origin ?? null;
  const isDowngrade = base.protocol === 'https:' && wsdlUrl.protocol === 'http:';
  return isDowngrade || !main ? base.origin : wsdlUrl.origin;
}

function remarkOrigins(origin: string, { main, easySign }: FoundUrls, readAt: ReadAt, remarks: WsdlRemark[]): void {
  const others = new Map([main, easySign].flatMap((url) => (url && url.origin !== origin ? [[url.origin, url]] : [])));
  for (const url of others.values()) {
    const isDowngrade = origin.startsWith('https:') && url.protocol === 'http:';
    const kind = isDowngrade ? 'downgrade-refused' : 'address-kept';
    remarks.push({ kind, about: 'baseUrl', was: url.origin, now: origin });
  }
  if (readAt && readAt.asked.origin !== readAt.reached.origin) {
    remarks.push({ kind: 'redirected', about: 'baseUrl', was: readAt.asked.origin, now: readAt.reached.origin });
  }
  if (isInClear(new URL(origin))) {
    remarks.push({ kind: 'in-clear', about: 'baseUrl', now: origin });
  }
}

function remarkPath({ main, easySign }: FoundUrls, readAt: ReadAt, remarks: WsdlRemark[]): void {
  if (!readAt || !/^\?(single)?wsdl$/i.test(readAt.reached.search)) return;
  const paths = [main, easySign].flatMap((url) => (url ? [url.pathname] : []));
  const at = readAt.reached.pathname;
  if (paths.length === 0 || paths.some((path) => path.toLowerCase() === at.toLowerCase())) return;
  remarks.push({ kind: 'path-differs', about: main ? 'mainPath' : 'easySignPath', was: at, now: paths[0] ?? '' });
}

/** True if Easy Sign is at another origin than the connection: one base address cannot lead to both. */
function isElsewhere({ readAt, onto }: Input, { main, easySign }: FoundUrls, origin: string): boolean {
  if (!easySign) return false;
  if (main) return readAt === null && easySign.origin !== main.origin;
  const base = baseOf(onto);
  return base !== null && currentUrl(base, onto, 'mainPath') !== null && base.origin !== origin;
}

/**
 * Computes base address and both paths from a description and the form's current values. The result is the same
 * whichever of two descriptions is read first.
 */
export function placesFrom(given: Input): Pick<WsdlProposal, 'settings' | 'remarks'> {
  const { onto, readAt } = given;
  const remarks: WsdlRemark[] = [];
  const found = described(given, remarks);
  const origin = originOf(given, found);
  if (origin === null) return { settings: {}, remarks };
  const base = baseOf(onto);
  const elsewhere = isElsewhere(given, found, origin);
  if (elsewhere) {
    const now = readAt ? origin : (found.easySign?.origin ?? '');
    remarks.push({ kind: 'other-host', about: 'easySignPath', was: found.main?.origin ?? base?.origin ?? '', now });
    if (!found.main) return { settings: {}, remarks };
  }
  const used: FoundUrls = elsewhere ? { ...found, easySign: null } : found;
  remarkOrigins(origin, used, readAt, remarks);
  remarkPath(used, readAt, remarks);
  const [mainBefore, easySignBefore] = [currentUrl(base, onto, 'mainPath'), currentUrl(base, onto, 'easySignPath')];
  const main = (used.main ?? mainBefore)?.pathname ?? null;
  const easySign = (used.easySign ?? easySignBefore)?.pathname ?? null;
  const prefix = prefixOf(main, easySign, base?.pathname.replace(/\/+$/, '') ?? '');
  const pathSetting = (path: string | null, was: string | undefined, isDescribed: boolean, name: PathName) => {
    const rest = path?.slice(prefix.length);
    return rest !== undefined && (isDescribed || rest !== was) ? { [name]: rest } : {};
  };
  const changed = (path: string | null, before: URL | null, about: PathName) => {
    const isOwn = about === 'mainPath' || onto?.easySignPath !== easySignEnd || before?.origin !== origin;
    if (path === null || !before || !isOwn || addressText(before) === origin + path) return;
    remarks.push({ kind: 'address-changed', about, was: addressText(before), now: origin + path });
  };
  changed(main, mainBefore, 'mainPath');
  changed(easySign, easySignBefore, 'easySignPath');
  return {
    settings: {
      baseUrl: `${origin}${prefix}`,
      ...pathSetting(main, onto?.mainPath, used.main !== null, 'mainPath'),
      ...pathSetting(easySign, onto?.easySignPath, used.easySign !== null, 'easySignPath'),
    },
    remarks,
  };
}
