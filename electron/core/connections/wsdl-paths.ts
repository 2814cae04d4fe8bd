import type { WsdlOnto, WsdlProposal, WsdlRemark } from '../../../contract/connections.ts';
import { offeredAt, type WsdlPort } from '../../soap/wsdl-ports.ts';
import { serviceAddress } from './service-address.ts';

type PathName = 'mainPath' | 'easySignPath';

/** Where a WSDL was read; null for a file. */
export type ReadAt = { readonly asked: URL; readonly reached: URL } | null;

interface Given {
  readonly ports: readonly WsdlPort[];
  readonly readAt: ReadAt;
  readonly onto: WsdlOnto | undefined;
}

/** This computer: what is sent there can be read by nobody else. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;
const easySignEnd = '/easysign/v2/easysign.asmx';

function httpUrl(text: string, base?: URL): URL | null {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : null;
  return url && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : null;
}

/** Without user name, query and fragment. */
function addressText({ origin, pathname }: URL): string {
  return origin + pathname;
}

/** A base address that could be saved, as a URL; the form begins with half of one. */
function baseOf(onto: WsdlOnto | undefined): URL | null {
  const url = httpUrl(onto?.baseUrl.trim() ?? '');
  return url && !/[\s@?#]/.test(onto?.baseUrl.trim() ?? '') ? url : null;
}

/** Where one of the two paths leads by what the form holds; null where nobody has said it yet. */
function placeBefore(base: URL | null, onto: WsdlOnto | undefined, path: PathName): URL | null {
  if (!base || !onto || !/^\/[^\s?#]/.test(onto[path].trim())) return null;
  return serviceAddress({ ...onto, baseUrl: base.href, [path]: onto[path].trim() }, path);
}

/** Which of a description's ports is meant: the one where it was read, else the one that offers most. */
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

/** A relative address is meant from where the description was read. */
function resolved({ address }: WsdlPort, readAt: ReadAt, base: URL | null): URL | null {
  return address === '' ? null : httpUrl(address, readAt?.reached ?? base ?? undefined);
}

/** What stands before both paths: where Easy Sign's fixed path begins, else what the form had, else nothing. */
function prefixOf(main: string | null, easySign: string | null, before: string): string {
  const isBefore = (prefix: string) => [main, easySign].every((path) => path === null || path.startsWith(`${prefix}/`));
  const fixed = easySign?.toLowerCase().endsWith(easySignEnd) ? easySign.slice(0, -easySignEnd.length) : null;
  if (fixed !== null && isBefore(fixed)) return fixed;
  return isBefore(before) && easySign !== null ? before : '';
}

interface Found {
  readonly main: URL | null;
  readonly easySign: URL | null;
}

/** The addresses that the description names, with what is odd about them. */
function described({ ports, readAt, onto }: Given, remarks: WsdlRemark[]): Found {
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
 * Scheme, host and port of the connection. What a person typed wins over what a server says about itself: behind a proxy
 * that ends TLS it knows only its inner address. A file has no typed address; it never leads from https to http either.
 */
function originOf({ readAt, onto }: Given, { main, easySign }: Found): string | null {
  if (readAt) return readAt.reached.origin;
  const told = main ?? easySign;
  const base = baseOf(onto);
  if (!told || !base) return told?.origin ?? null;
  const isDowngrade = base.protocol === 'https:' && told.protocol === 'http:';
  return isDowngrade || !main ? base.origin : told.origin;
}

function remarkOrigins(origin: string, { main, easySign }: Found, readAt: ReadAt, remarks: WsdlRemark[]): void {
  const told = new Map([main, easySign].flatMap((url) => (url && url.origin !== origin ? [[url.origin, url]] : [])));
  for (const url of told.values()) {
    const isDowngrade = origin.startsWith('https:') && url.protocol === 'http:';
    const kind = isDowngrade ? 'downgrade-refused' : 'address-kept';
    remarks.push({ kind, about: 'baseUrl', was: url.origin, now: origin });
  }
  if (readAt && readAt.asked.origin !== readAt.reached.origin) {
    remarks.push({ kind: 'redirected', about: 'baseUrl', was: readAt.asked.origin, now: readAt.reached.origin });
  }
  const here = new URL(origin);
  if (here.protocol === 'http:' && !loopback.test(here.hostname)) {
    remarks.push({ kind: 'in-clear', about: 'baseUrl', now: origin });
  }
}

function remarkPath({ main, easySign }: Found, readAt: ReadAt, remarks: WsdlRemark[]): void {
  if (!readAt || !/^\?(single)?wsdl$/i.test(readAt.reached.search)) return;
  const told = [main, easySign].flatMap((url) => (url ? [url.pathname] : []));
  const at = readAt.reached.pathname;
  if (told.length === 0 || told.some((path) => path.toLowerCase() === at.toLowerCase())) return;
  remarks.push({ kind: 'path-differs', about: main ? 'mainPath' : 'easySignPath', was: at, now: told[0] ?? '' });
}

/** Easy Sign at another address than the connection has: one base address cannot lead to both. */
function isElsewhere({ readAt, onto }: Given, { main, easySign }: Found, origin: string): boolean {
  if (!easySign) return false;
  if (main) return readAt === null && easySign.origin !== main.origin;
  const base = baseOf(onto);
  return base !== null && placeBefore(base, onto, 'mainPath') !== null && base.origin !== origin;
}

/** Base address and both paths, from a description onto what the form holds: whichever of two is read first. */
export function placesFrom(given: Given): Pick<WsdlProposal, 'settings' | 'remarks'> {
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
  const told: Found = elsewhere ? { ...found, easySign: null } : found;
  remarkOrigins(origin, told, readAt, remarks);
  remarkPath(told, readAt, remarks);
  const [mainBefore, easySignBefore] = [placeBefore(base, onto, 'mainPath'), placeBefore(base, onto, 'easySignPath')];
  const main = (told.main ?? mainBefore)?.pathname ?? null;
  const easySign = (told.easySign ?? easySignBefore)?.pathname ?? null;
  const prefix = prefixOf(main, easySign, base?.pathname.replace(/\/+$/, '') ?? '');
  const place = (path: string | null, was: string | undefined, isTold: boolean, name: PathName) => {
    const rest = path?.slice(prefix.length);
    return rest !== undefined && (isTold || rest !== was) ? { [name]: rest } : {};
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
      ...place(main, onto?.mainPath, told.main !== null, 'mainPath'),
      ...place(easySign, onto?.easySignPath, told.easySign !== null, 'easySignPath'),
    },
    remarks,
  };
}
