import { FileKey } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AccessChange, Connection, WsdlWay } from '../../../contract/connections.ts';
import type { FileToken } from '../../../contract/files.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useLive } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { ConfirmedCall } from '../../features/confirmed-call.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import type { ConnectionDraft, ErrorAt } from './connection-draft.ts';
import css from './connections.module.css';

export interface AccessProps {
  readonly connection: Connection | null;
  readonly typed: TypedAccess;
  readonly onType: (typed: TypedAccess) => void;
  readonly errorAt: ErrorAt;
}

/** User and password at the proxy. The password cannot be read back. */
export function ProxyLoginFields(props: AccessProps & { readonly isMoved: boolean }) {
  const { connection, typed, onType, errorAt } = props;
  const { t } = useTranslation();
  const stored = connection?.proxyLogin ?? null;
  const isKept = stored !== null && !props.isMoved && typed.proxyUser.trim() === stored.user;
  return (
    <div className={looks.columns}>
      <TextField
        label={t('connections.proxyUser')}
        value={typed.proxyUser}
        onChange={(proxyUser) => onType({ ...typed, proxyUser })}
        help={t('connections.proxyUserHelp')}
        maxLength={256}
        error={errorAt('proxyLogin.user')}
      />
      <TextField
        label={t('connections.proxyPassword')}
        type="password"
        value={typed.proxyPassword}
        onChange={(proxyPassword) => onType({ ...typed, proxyPassword })}
        maxLength={1000}
        error={errorAt('proxyLogin.password')}
        {...(isKept ? { placeholder: t('connections.storedNotShown') } : {})}
      />
    </div>
  );
}

/** The certificate with which the program shows itself to the service: whose it is, its file and its password. */
export function CertificateField({ connection, typed, onType, errorAt }: AccessProps) {
  const { t } = useTranslation();
  const choose = useCall('files.choose');
  const { certificate } = typed;
  const stored = certificate === null ? (connection?.clientCertificate ?? null) : null;
  const chosen = certificate !== null && certificate !== 'removed' ? certificate : null;
  const error = errorAt('clientCertificate');

  async function chooseFiles() {
    const found = await choose.run({ kind: 'any' });
    const files = found.ok ? (found.value ?? []).slice(0, 2) : [];
    if (files.length > 0) onType({ ...typed, certificate: { files, password: '' } });
  }

  return (
    <fieldset className={looks.stack}>
      <legend>{t('connections.clientCertificate')}</legend>
      <CertificateText stored={stored} typed={typed} />
      {error === undefined ? null : (
        <p className={looks.caution} data-error-summary="" tabIndex={-1}>
          {error}
        </p>
      )}
      {chosen ? (
        <div className={looks.columns}>
          <TextField
            label={t('connections.clientCertificatePassword')}
            type="password"
            value={chosen.password}
            onChange={(password) => onType({ ...typed, certificate: { ...chosen, password } })}
            maxLength={1000}
            error={errorAt('clientCertificate.password')}
          />
        </div>
      ) : null}
      <div className={css.actions}>
        <Button icon={<FileKey aria-hidden="true" />} isPending={choose.busy} onPress={() => void chooseFiles()}>
          {t('connections.clientCertificateChoose')}
        </Button>
        {stored || chosen ? (
          <Button
            kind="quiet"
            onPress={() => onType({ ...typed, certificate: connection?.clientCertificate ? 'removed' : null })}
          >
            {t('connections.clientCertificateRemove')}
          </Button>
        ) : null}
      </div>
      {choose.failure ? <FailureView failure={choose.failure} /> : null}
    </fieldset>
  );
}

/** Whose certificate it is, the chosen files, or when one is needed. */
function CertificateText(props: { readonly stored: Connection['clientCertificate']; readonly typed: TypedAccess }) {
  const { stored } = props;
  const { certificate } = props.typed;
  const { t } = useTranslation();
  const format = useFormat();
  if (stored) {
    const isOver = Date.parse(stored.validUntil) < Date.now();
    const words = { subject: stored.subject, issuer: stored.issuer, day: format.date(stored.validUntil) };
    return isOver ? (
      <p className={looks.caution}>{t('connections.clientCertificateOver', words)}</p>
    ) : (
      <p className={looks.said}>{t('connections.clientCertificateShown', words)}</p>
    );
  }
  if (certificate === 'removed') return <p className={looks.said}>{t('connections.clientCertificateRemoved')}</p>;
  const files = certificate?.files.map(({ name }) => name) ?? [];
  return <p className={looks.said}>{files.length > 0 ? format.list(files) : t('connections.clientCertificateHelp')}</p>;
}

/** What was entered of the way to the service, and is not saved yet. `certificate` null: unchanged. */
export interface TypedAccess {
  readonly proxyUser: string;
  readonly proxyPassword: string;
  readonly certificate: { readonly files: readonly FileToken[]; readonly password: string } | 'removed' | null;
}

/** Nothing entered: the stored user is shown, its password is not. */
export function untouchedAccess(connection: Connection | null): TypedAccess {
  return { proxyUser: connection?.proxyLogin?.user ?? '', proxyPassword: '', certificate: null };
}

/** The change that the core gets. What was not touched is left out, and the stored one stays. */
export function accessOf(typed: TypedAccess, connection: Connection | null, proxyMode: string): AccessChange {
  return { ...loginOf(typed, connection, proxyMode), ...certificateOf(typed) };
}

function loginOf(typed: TypedAccess, connection: Connection | null, proxyMode: string): AccessChange {
  const stored = connection?.proxyLogin ?? null;
  const user = typed.proxyUser.trim();
  if (proxyMode === 'none' || (user === '' && typed.proxyPassword === '')) return stored ? { proxyLogin: null } : {};
  if (user === stored?.user && typed.proxyPassword === '') return {};
  return { proxyLogin: { user, password: typed.proxyPassword } };
}

function certificateOf({ certificate }: TypedAccess): AccessChange {
  if (certificate === null) return {};
  if (certificate === 'removed') return { clientCertificate: null };
  const { files, password } = certificate;
  return { clientCertificate: { tokens: files.map(({ token }) => token), password } };
}

/** The way on which the WSDL of a form is read. An address of a proxy that is not typed to its end is left out. */
export function wayOf(typed: TypedAccess, connection: Connection | null, draft: ConnectionDraft): WsdlWay {
  const { proxyMode, proxyAddress } = draft;
  const manual = URL.canParse(proxyAddress) ? { mode: 'manual' as const, address: proxyAddress } : null;
  const proxy = proxyMode === 'manual' ? manual : { mode: proxyMode };
  return {
    ...(connection ? { id: connection.id } : {}),
    ...(proxy ? { proxy } : {}),
    ...accessOf(typed, connection, proxyMode),
  };
}

/** API key and signature while they are typed. */
export interface TypedCredentials {
  readonly apiKey: string;
  readonly apiSig: string;
}

/** Sets credentials, which cannot be read back: the fields are empty also where some are stored. */
export function CredentialsPart(props: {
  readonly connection: Connection | null;
  /** True if saving removes the stored ones. */
  readonly isMoved: boolean;
  readonly typed: TypedCredentials;
  readonly onType: (typed: TypedCredentials) => void;
  readonly errorAt: ErrorAt;
}) {
  const { t } = useTranslation();
  const { connection, typed, onType, errorAt } = props;
  const stored = connection !== null && connection.credentials !== 'none';
  const placeholder = stored && !props.isMoved ? { placeholder: t('connections.storedNotShown') } : {};
  const secret = (name: keyof TypedCredentials) => (
    <TextField
      label={t(`connections.${name}`)}
      type="password"
      value={typed[name]}
      onChange={(text) => onType({ ...typed, [name]: text })}
      maxLength={1000}
      error={errorAt(`credentials.${name}`)}
      {...placeholder}
    />
  );
  return (
    <div className={looks.stack3}>
      <div className={looks.columns}>
        {secret('apiKey')}
        {secret('apiSig')}
      </div>
      {stored && props.isMoved ? <p className={looks.caution}>{t('connections.credentialsMoved')}</p> : null}
      <WithoutKeychain connection={connection} />
      {connection && stored ? <Forget connection={connection} /> : null}
    </div>
  );
}

/** Says that there is no keychain, where one is missing. */
function WithoutKeychain({ connection }: { readonly connection: Connection | null }) {
  const { t } = useTranslation();
  const { notices } = useLive().info;
  // Until it is dismissed, the notice above every screen says it.
  const isSaid = notices.some(({ kind }) => kind === 'keychain-unavailable');
  const kept = [connection?.credentials, connection?.proxyLogin?.kept, connection?.clientCertificate?.kept];
  return kept.includes('this-run') && !isSaid ? <p className={looks.caution}>{t('connections.keptThisRun')}</p> : null;
}

/** Asks first: what is removed cannot be read back, so it cannot be put back either. */
function Forget({ connection: { id, name } }: { readonly connection: Connection }) {
  const { t } = useTranslation();
  return (
    <div>
      <ConfirmedCall
        danger
        isQuiet
        call="connections.forgetCredentials"
        input={{ id }}
        text={t('connections.forgetCredentials')}
        title={t('connections.forgetTitle', { name })}
      >
        <p>{t('connections.forgetText')}</p>
      </ConfirmedCall>
    </div>
  );
}
