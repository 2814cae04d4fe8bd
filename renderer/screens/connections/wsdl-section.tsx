import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WsdlProposal } from '../../../contract/connections.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useChooseFile } from '../../bridge/use-choose-file.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { Card } from '../../parts/page.tsx';
import { type ConnectionDraft, ontoOf, withWsdl } from './connection-draft.ts';
import css from './connections.module.css';
import { remarkLines } from './wsdl-remarks.ts';

const fieldNames = {
  baseUrl: 'connections.baseUrl',
  mainPath: 'connections.mainPath',
  easySignPath: 'connections.easySignPath',
  namespaceUri: 'connections.namespaceUri',
  elementNames: 'connections.sectionNames',
} as const satisfies Record<keyof WsdlProposal['settings'], string>;

interface WsdlProps {
  readonly draft: ConnectionDraft;
  readonly setDraft: (change: (before: ConnectionDraft) => ConnectionDraft) => void;
}

/** Fills the form from a WSDL at an address or in a file, and lists the filled fields. Saves nothing. */
export function WsdlSection(props: WsdlProps) {
  const { t } = useTranslation();
  const [address, setAddress] = useState('');
  const choose = useChooseFile('any');
  const { read, readFrom, said } = useWsdl(props);
  const failure = read.failure ?? choose.failure;

  async function readFile() {
    const file = await choose.choose();
    if (file) await readFrom({ token: file.token });
  }

  return (
    <Card title={t('connections.wsdlHeading')}>
      <p className={css.text}>{t('connections.wsdlText')}</p>
      <div className={css.wsdl}>
        <TextField
          label={t('connections.wsdlAddress')}
          type="url"
          value={address}
          onChange={setAddress}
          placeholder="https://service.example/service.asmx?wsdl"
          error={read.failure?.fields?.address ? t('connections.wsdlFieldAddress') : undefined}
        />
        <Button
          isDisabled={address.trim() === ''}
          isPending={read.busy}
          onPress={() => void readFrom({ address: address.trim() })}
        >
          {t('connections.wsdlRead')}
        </Button>
        <Button isPending={choose.busy} onPress={() => void readFile()}>
          {t('connections.wsdlFile')}
        </Button>
      </div>
      <div role="status" className={css.text}>
        {said.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      {failure ? <FailureView failure={failure} /> : null}
    </Card>
  );
}

/** Reads a WSDL into the form; `said` has one line for each field that was filled in or is missing. */
function useWsdl(props: WsdlProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [said, setSaid] = useState<readonly string[]>([]);
  const read = useCall('connections.readWsdl');

  async function readFrom(from: { address: string } | { token: string }) {
    setSaid([]);
    const asked = props.draft;
    const proposal = await read.run({ ...from, onto: ontoOf(asked) });
    if (!proposal.ok) return;
    const { filled } = withWsdl(asked, proposal.value);
    props.setDraft((before) => withWsdl(before, proposal.value, asked).draft);
    const { soapVersions, missing, remarks } = proposal.value;
    setSaid([
      filled.length > 0
        ? t('connections.wsdlFilled', { fields: format.list(filled.map((field) => t(fieldNames[field]))) })
        : t('connections.wsdlNothing'),
      ...(soapVersions.length > 0 ? [t('connections.wsdlVersions', { versions: format.list(soapVersions) })] : []),
      ...(missing.length > 0 ? [t('connections.wsdlMissing', { operations: format.list(missing) })] : []),
      ...remarkLines(t, remarks),
    ]);
  }

  return { read, readFrom, said };
}
