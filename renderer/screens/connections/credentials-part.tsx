import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import { useLive } from '../../bridge/live.tsx';
import { AskedCall } from '../../features/asked-call.tsx';
import { TextField } from '../../parts/field.tsx';
import looks from '../../parts/looks.module.css';
import type { ErrorAt } from './connection-draft.ts';

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
      <AskedCall
        danger
        isQuiet
        call="connections.forgetCredentials"
        input={{ id }}
        text={t('connections.forgetCredentials')}
        title={t('connections.forgetTitle', { name })}
      >
        <p>{t('connections.forgetText')}</p>
      </AskedCall>
    </div>
  );
}
