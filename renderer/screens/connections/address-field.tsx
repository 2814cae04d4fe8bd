import type { TFunction } from 'i18next';
import { FileUp } from 'lucide-react';
import { VisuallyHidden } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { WsdlProposal, WsdlRemark } from '../../../contract/connections.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useChooseFile } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Fold } from '../../parts/problem.tsx';
import css from './connections.module.css';
import { isIncomplete, type ReadWsdl, type useAddress } from './use-address.ts';

const fieldNames = {
  baseUrl: 'connections.baseUrl',
  mainPath: 'connections.mainPath',
  easySignPath: 'connections.easySignPath',
  namespaceUri: 'connections.namespaceUri',
  elementNames: 'connections.sectionNames',
} as const satisfies Record<keyof WsdlProposal['settings'], string>;

/** The address of a service or of its WSDL, or a file with the WSDL, and what was read from it. */
export function AddressField(props: {
  readonly address: ReturnType<typeof useAddress>;
  readonly error: string | undefined;
  readonly locked: string | undefined;
  readonly autoFocus: boolean;
}) {
  const { t } = useTranslation();
  const { address } = props;
  const choose = useChooseFile('any');
  const failure = address.failure ?? choose.failure;
  const isNoAddress = address.failure?.fields?.address !== undefined;
  const error = isNoAddress ? t('connections.fieldAddress') : props.error;

  async function readChosen() {
    const file = await choose.choose();
    if (file) await address.readFile(file.token);
  }

  return (
    <div className={looks.stack3}>
      <div className={css.addressRow}>
        <TextField
          label={t('connections.address')}
          type="url"
          value={address.text}
          onChange={address.setText}
          {...(props.locked ? {} : { onBlur: () => void address.take() })}
          locked={props.locked}
          placeholder="https://service.example/service.asmx?wsdl"
          error={error && isIncomplete(address.text) ? t('connections.fieldIncomplete') : error}
          autoFocus={props.autoFocus}
          isRequired
        />
        {props.locked ? null : (
          <Button icon={<FileUp aria-hidden="true" />} isPending={choose.busy} onPress={() => void readChosen()}>
            {t('connections.wsdlFile')}
          </Button>
        )}
      </div>
      <div role="status" className={`${looks.said} ${css.read}`}>
        {address.busy ? t('connections.wsdlReading') : null}
        {address.cleaned === null ? null : t('connections.addressCleaned', { address: address.cleaned })}
        {address.wsdl ? <VisuallyHidden>{t('connections.wsdlRead')}</VisuallyHidden> : null}
      </div>
      {address.wsdl ? <Remarks {...address.wsdl} /> : null}
      {failure && !isNoAddress ? <FailureView failure={failure} /> : null}
    </div>
  );
}

const mostLines = 3;

/** What a person should know before sending; the rest is folded. */
function Remarks({ proposal, filled }: ReadWsdl) {
  const { t } = useTranslation();
  const format = useFormat();
  const { soapVersions, missing, remarks } = proposal;
  const telling = remarkLines(
    t,
    format,
    remarks.filter((remark) => !isQuiet(remark)),
  );
  // More than can be read while filling in a form: their number says that this may be another kind of service.
  const isLong = telling.length > mostLines;
  const fields = format.list(filled.map((field) => t(fieldNames[field])));
  const details = [
    ...(filled.length > 0 ? [t('connections.wsdlFilled', { fields })] : []),
    ...(isLong ? telling : []),
    ...(soapVersions.length > 0 ? [t('connections.wsdlVersions', { versions: format.list(soapVersions) })] : []),
    ...remarkLines(t, format, remarks.filter(isQuiet)),
  ];
  const shown = [
    ...(filled.length > 0 ? [] : [t('connections.wsdlNothing')]),
    ...(missing.length > 0
      ? [
          t('connections.wsdlMissing', {
            operations: format.list([...new Set(missing.map((name) => t(`jobs.operation.${name}`)))]),
          }),
        ]
      : []),
    ...(isLong ? [t('connections.wsdlDiffers', { count: telling.length })] : telling),
  ];
  return (
    <div className={looks.said}>
      {shown.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {details.length > 0 ? (
        <Fold label={t('connections.wsdlRead')}>
          {details.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Fold>
      ) : null}
    </div>
  );
}

/** One sentence per remark; remarks that differ only in their subject share one. */
function remarkLines(
  t: TFunction,
  { list }: Pick<ReturnType<typeof useFormat>, 'list'>,
  remarks: readonly WsdlRemark[],
): readonly string[] {
  const groups = new Map<string, WsdlRemark & { readonly all: string[] }>();
  const isUnaddressed = ({ kind, now }: WsdlRemark) => kind === 'address-unusable' && now === '';
  for (const remark of remarks) {
    if (isUnaddressed(remark)) continue;
    const key = JSON.stringify([remark.kind, remark.was, remark.now]);
    const group = groups.get(key);
    if (group) group.all.push(remark.about);
    else groups.set(key, { ...remark, all: [remark.about] });
  }
  return [
    ...(remarks.some(isUnaddressed) ? [t('connections.wsdlNoAddress')] : []),
    ...[...groups.values()].map(({ kind, all, was = '', now = '' }) =>
      t(`connections.wsdlRemark.${kind}`, { about: list(all.map((about) => nameOf(t, about))), was, now }),
    ),
  ];
}

/** Remarks that ask nothing of a person: the check of the connection shows whether it is so. */
const quiet: ReadonlySet<WsdlRemark['kind']> = new Set([
  'address-kept',
  'redirected',
  'address-changed',
  'namespace-changed',
  'name-found',
  'name-changed',
  'not-described',
  'order-differs',
]);

function isQuiet({ kind }: WsdlRemark): boolean {
  return quiet.has(kind);
}

const settings = ['baseUrl', 'mainPath', 'easySignPath', 'namespaceUri'] as const;

/** The label of a setting in the form; elements and operations as named in the interface. */
function nameOf(t: TFunction, about: string): string {
  const setting = settings.find((one) => one === about);
  return setting ? t(`connections.${setting}`) : about;
}
