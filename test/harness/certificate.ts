import { generateKeyPairSync, sign } from 'node:crypto';
import { der, oid, text, time } from './der.ts';

export interface Certificate {
  /** PEM. */
  readonly key: string;
  /** PEM; signed by itself, so it is its own authority too. */
  readonly cert: string;
}

interface Wanted {
  /** Who it says issued it. */
  readonly organisation: string;
  /** The only host name that it is for, instead of localhost and 127.0.0.1. */
  readonly host?: string;
  readonly from?: Date;
  readonly until?: Date;
  /** Host names besides localhost. */
  readonly names?: readonly string[];
}

/** A certificate for 127.0.0.1, localhost and other names, or for one host only; made anew: no key lies in the repository, and no tool is needed. */
export function selfSigned(wanted: Wanted): Certificate {
  const { organisation, host, from = daysFromNow(-1), until = daysFromNow(30), names: hosts = [] } = wanted;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(0x30, oid('2a8648ce3d040302'));
  const name = der(
    0x30,
    der(0x31, der(0x30, oid('55040a'), text(organisation))),
    der(0x31, der(0x30, oid('550403'), text(host ?? 'localhost'))),
  );
  const dnsNames = (host ? [host] : ['localhost', ...hosts]).map((one) => der(0x82, Buffer.from(one)));
  const names = der(0x30, ...dnsNames, ...(host ? [] : [der(0x87, Buffer.from([127, 0, 0, 1]))]));
  const extensions = der(
    0x30,
    der(0x30, oid('551d11'), der(0x04, names)),
    der(0x30, oid('551d13'), der(0x04, der(0x30, der(0x01, Buffer.from([0xff]))))),
  );
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1 + Math.floor(Math.random() * 100)])),
    algorithm,
    name,
    der(0x30, time(from), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]);
  const whole = der(0x30, body, algorithm, der(0x03, signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${whole
      .toString('base64')
      .match(/.{1,64}/g)
      ?.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

export function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * 86_400_000);
}
