import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useLockedAt } from '../../bridge/use-policy.ts';
import { RejectedFiles } from '../../features/files/taken-files.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Form, Segments, TextField, WholeNumberField } from '../../parts/field.tsx';
import looks from '../../parts/looks.module.css';
import { Card, Page } from '../../parts/page.tsx';
import { Fold } from '../../parts/problem.tsx';
import { type AccessProps, CertificateField, CredentialsPart, ProxyLoginFields } from './access-fields.tsx';
import { AddressField } from './address-field.tsx';
import { CheckResult } from './check-result.tsx';
import {
  type ConnectionDraft,
  changesDestination,
  changesProxy,
  fieldOf,
  type SectionProps,
} from './connection-draft.ts';
import css from './connections.module.css';
import { ServiceSection } from './service-section.tsx';
import { ElementNamesSection, NamedNumbersSection } from './table-sections.tsx';
import { hostOf, type SheetInput, useSheet } from './use-sheet.ts';

/** Adds a connection or changes one, and checks it when it is saved. */
export function ConnectionSheet(props: SheetInput) {
  const { t } = useTranslation();
  const area = useRef<HTMLFormElement>(null);
  const sheet = useSheet(props, area);
  const { stored, busy, isSaved } = sheet;
  const title = stored ? t('connections.editTitle', { name: stored.name }) : t('connections.addTitle');
  return (
    <Page
      title={title}
      actions={
        <>
          {isSaved && !busy ? null : (
            <Button onPress={sheet.close}>{t(isSaved ? 'common.close' : 'common.cancel')}</Button>
          )}
          <Button kind="primary" isPending={busy} onPress={() => (isSaved ? sheet.close() : void sheet.saveNow())}>
            {t(isSaved ? 'connections.done' : 'connections.saveConnection')}
          </Button>
        </>
      }
    >
      <Form ref={area} className={looks.narrow} label={title} onSubmit={() => void sheet.saveNow()}>
        <RejectedFiles rejected={props.rejected} />
        <Summary sheet={sheet} />
        <Fields sheet={sheet} isNew={props.connection === null} />
      </Form>
    </Page>
  );
}

type Sheet = ReturnType<typeof useSheet>;

/** What kept the sheet from being saved, unless a field says so; or the result of the check. */
function Summary({ sheet }: { readonly sheet: Sheet }) {
  const { t } = useTranslation();
  const { failure, stored, isSaved } = sheet;
  if (failure && !failure.fields) {
    return (
      <div data-error-summary="" tabIndex={-1}>
        <FailureView failure={failure} subject={sheet.draft.name} />
      </div>
    );
  }
  return isSaved && stored ? (
    <div data-error-summary="" tabIndex={-1}>
      <CheckResult name={stored.name} isInUse={sheet.isInUse} doctor={sheet.doctor} />
      {sheet.busy ? null : (
        <div className={looks.line}>
          <Button onPress={() => void sheet.checkAgain()}>{t('connections.doctorAgain')}</Button>
          {sheet.isInUse ? null : <Button onPress={() => void sheet.takeIntoUse()}>{t('connections.use')}</Button>}
        </div>
      )}
    </div>
  ) : null;
}

function Fields({ sheet, isNew }: { readonly sheet: Sheet; readonly isNew: boolean }) {
  const { t } = useTranslation();
  const { draft, address, entered, enter, set, errorAt, stored, practice } = sheet;
  const lockedAt = useLockedAt(stored);
  const isProvided = stored?.managed?.isProvided ?? false;
  const section = { draft, set, errorAt, lockedAt };
  const typeAddress = (text: string) => {
    enter({});
    address.setText(text);
  };
  return (
    <>
      {isProvided ? <p className={looks.said}>{t('connections.lockedText')}</p> : null}
      {practice ? null : (
        <AddressField
          address={{ ...address, setText: typeAddress }}
          error={errorAt('baseUrl')}
          locked={lockedAt('baseUrl')}
          autoFocus={isNew}
        />
      )}
      <TextField
        {...fieldOf(section, 'name')}
        label={t('connections.name')}
        placeholder={hostOf(draft.baseUrl)}
        maxLength={80}
      />
      {practice ? null : (
        <CredentialsPart
          connection={stored}
          isMoved={stored !== null && (changesDestination(stored, draft) || entered.access.certificate !== null)}
          typed={entered.typed}
          onType={(typed) => enter({ typed })}
          errorAt={errorAt}
        />
      )}
      {practice || sheet.isInUse ? null : (
        <Checkbox isSelected={entered.useIt} onChange={(useIt) => enter({ useIt })}>
          {t('connections.useForNew')}
        </Checkbox>
      )}
      <MorePart
        {...section}
        practice={practice}
        access={{ connection: stored, typed: entered.access, onType: (access) => enter({ access }) }}
        {...sheet.more}
      />
    </>
  );
}

/** The settings that most people never touch. The practice connection has its own address, so that part is left out. */
function MorePart(
  props: SectionProps & {
    readonly access: Omit<AccessProps, 'errorAt'>;
    readonly practice: boolean;
    readonly open: boolean;
    readonly onOpenChange: (open: boolean) => void;
  },
) {
  const { practice, open, onOpenChange, access, ...section } = props;
  const { t } = useTranslation();
  return (
    <Fold label={t('connections.more')} open={open} onOpenChange={onOpenChange}>
      <div className={looks.narrow}>
        <ServiceSection {...section} practice={practice} />
        {practice ? null : <ElementNamesSection {...section} />}
        <NamedNumbersSection {...section} which="creditTypes" />
        <NamedNumbersSection {...section} which="lists" />
        {practice ? null : <NetworkSection {...section} access={access} />}
        <LimitsSection {...section} />
      </div>
    </Fold>
  );
}

const times = [
  { key: 'connectMs', label: 'connections.connectSeconds', max: 600 },
  { key: 'idleMs', label: 'connections.idleSeconds', max: 600 },
  { key: 'answerMs', label: 'connections.answerSeconds', max: 3600 },
] as const satisfies readonly { key: keyof ConnectionDraft['timeouts']; label: string; max: number }[];

const numbers = [
  { key: 'parallel', min: 1, max: 8, help: null },
  { key: 'doubtLimit', min: 1, max: 100, help: 'connections.doubtLimitHelp' },
  { key: 'maxItems', min: -2147483648, max: 2147483647, help: null },
] as const;

/** Time-outs, parallel uploads, and settings for lists of addresses. */
function LimitsSection(props: SectionProps) {
  const { draft, set, errorAt, lockedAt } = props;
  const { t } = useTranslation();
  return (
    <Card title={t('connections.sectionLimits')}>
      <div className={css.thirds}>
        {times.map((time) => (
          <WholeNumberField
            key={time.key}
            label={t(time.label)}
            locked={lockedAt('timeouts')}
            value={Math.round(draft.timeouts[time.key] / 1000)}
            min={1}
            max={time.max}
            onChange={(seconds) => set({ timeouts: { ...draft.timeouts, [time.key]: seconds * 1000 } })}
            error={errorAt(`timeouts.${time.key}`)}
          />
        ))}
        {numbers.map((number) => (
          <WholeNumberField
            key={number.key}
            {...fieldOf(props, number.key)}
            label={t(`connections.${number.key}`)}
            min={number.min}
            max={number.max}
            {...(number.help ? { help: t(number.help) } : {})}
          />
        ))}
        <TextField
          {...fieldOf(props, 'separator')}
          label={t('connections.separator')}
          help={t('connections.separatorHelp')}
          maxLength={5}
        />
      </div>
      <TextField
        {...fieldOf(props, 'ownerEmail')}
        label={t('connections.ownerEmail')}
        type="email"
        help={t('connections.ownerEmailHelp')}
        maxLength={320}
      />
    </Card>
  );
}

/** Proxy, certificate authorities and client certificate. */
function NetworkSection(props: SectionProps & { readonly access: Omit<AccessProps, 'errorAt'> }) {
  const { draft, set, errorAt, lockedAt } = props;
  const { connection } = props.access;
  const access = { ...props.access, errorAt };
  const { t } = useTranslation();
  return (
    <Card title={t('connections.sectionNetwork')}>
      <div className={looks.columns}>
        <Segments
          label={t('connections.proxy')}
          locked={lockedAt('proxy')}
          value={draft.proxyMode}
          onChange={(proxyMode) => set({ proxyMode })}
          choices={[
            { key: 'system', text: t('connections.proxySystem') },
            { key: 'none', text: t('connections.proxyNone') },
            { key: 'manual', text: t('connections.proxyManual') },
          ]}
        />
        {draft.proxyMode === 'manual' ? (
          <TextField
            label={t('connections.proxyAddress')}
            type="url"
            locked={lockedAt('proxy')}
            value={draft.proxyAddress}
            onChange={(proxyAddress) => set({ proxyAddress })}
            error={errorAt('proxy.address')}
          />
        ) : null}
      </div>
      {draft.proxyMode === 'none' ? null : (
        <ProxyLoginFields {...access} isMoved={connection !== null && changesProxy(connection, draft)} />
      )}
      <TextField
        {...fieldOf(props, 'extraCa')}
        label={t('connections.extraCa')}
        lines
        mono
        help={t('connections.extraCaHelp')}
      />
      <CertificateField {...access} />
    </Card>
  );
}
