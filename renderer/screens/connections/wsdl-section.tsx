import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WsdlProposal } from '../../../contract/connections.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTask } from '../../bridge/use-task.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { Card } from '../../parts/page.tsx';
import css from './connections.module.css';
import { type Draft, ontoOf, withWsdl } from './draft.ts';
import { remarkLines } from './wsdl-remarks.ts';

const fieldNames = {
  baseUrl: 'connections.baseUrl',
  mainPath: 'connections.mainPath',
  easySignPath: 'connections.easySignPath',
  namespaceUri: 'connections.namespaceUri',
  elementNames: 'connections.sectionNames',
} as const satisfies Record<keyof WsdlProposal['settings'], string>;

/** Fills the form from a WSDL at an address or in a file, and says what it filled in. Saves nothing. */
export function WsdlSection(props: {
  readonly draft: Draft;
  readonly setDraft: (change: (before: Draft) => Draft) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const [address, setAddress] = useState('');
  const [said, setSaid] = useState<readonly string[]>([]);
  const choose = useTask('files.choose');
  const read = useTask('connections.readWsdl');
  const failure = read.failure ?? choose.failure;

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

  async function readFile() {
    const chosen = await choose.run({ kind: 'any' });
    const token = chosen.ok ? chosen.value?.[0]?.token : undefined;
    if (token) await readFrom({ token });
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
