import { FileKey } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import css from './connections.module.css';
import type { ErrorAt } from './field-errors.ts';
import type { TypedAccess } from './typed-access.ts';

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
