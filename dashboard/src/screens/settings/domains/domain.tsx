import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { Domain } from '@smartlink/client';
import { api, hasCode } from '../../../app/api.js';
import { isServed } from '../../../app/hosts.js';
import { LINKS } from '../../../app/link-paths.js';
import { FormActions, Page, Section } from '../../../app/page.js';
import { domainsQuery } from '../../../app/queries.js';
import { useHasRole } from '../../../app/session.js';
import { Button, ButtonLink } from '../../../parts/button.js';
import { CopyButton } from '../../../parts/copy-button.js';
import { ConfirmDialog, useDialog } from '../../../parts/dialogs/dialog.js';
import { TextField } from '../../../parts/field.js';
import { Loaded } from '../../../parts/loaded.js';
import { EmptyNotice, ErrorLine, ErrorText, InfoLine } from '../../../parts/notice.js';
import { useStatus } from '../../../parts/status.js';
import { useFormat } from '../../../words/format.js';
import { Behavior } from './behavior.js';
import { Status } from './domains.js';
import styles from './domains.module.css';
import { refreshDomains } from './state.js';
import { useWords } from './words.js';

export function DomainScreen() {
  const words = useWords();
  const { id } = useParams({ from: '/shell/dashboard/settings/domains/$id' });
  const domains = useQuery(domainsQuery);
  const domain = domains.data?.find((each) => each.id === id);
  const back = <ButtonLink to="/dashboard/settings/domains">{words.back}</ButtonLink>;
  return (
    <Page title={domain?.host ?? words.heading} action={back}>
      <Loaded query={domains} lines={6}>
        {() =>
          domain === undefined ? (
            <EmptyNotice heading={words.notFound}>{words.notFoundText}</EmptyNotice>
          ) : (
            <OneDomain key={id} domain={domain} />
          )
        }
      </Loaded>
    </Page>
  );
}

type DomainProps = { readonly domain: Domain };

function OneDomain({ domain }: DomainProps) {
  const isOwner = useHasRole('Owner');
  return (
    <>
      <State domain={domain} />
      <Records domain={domain} />
      <Behavior domain={domain} />
      {isOwner ? <Remove domain={domain} /> : null}
    </>
  );
}

function State({ domain }: DomainProps) {
  const words = useWords();
  const format = useFormat();
  const say = useStatus();
  const isOwner = useHasRole('Owner');
  const { id, isDefault, smartlinkCount, host, verification } = domain;
  const check = useMutation({
    mutationFn: () => api.domains.verify(id, { retries: 0 }),
    onSuccess: ({ data }) => say(words.checked[data.status === 'Active' ? 'found' : 'missing']),
    // A look that is refused may have found something too.
    onSettled: refreshDomains,
  });
  const makeDefault = useMutation({
    mutationFn: (next: boolean) => api.domains.update(id, { isDefault: next }),
    onSuccess: async (_, next) => {
      await refreshDomains();
      say(next ? words.nowDefault : words.noDefault);
    },
  });
  return (
    <Section title={words.status}>
      <Status domain={domain} />
      {verification.checkedAt === undefined ? null : (
        <p className={styles.meaning}>{words.checkedAt(format.ago(verification.checkedAt))}</p>
      )}
      <p>
        <Link to={LINKS} search={{ domain: host, status: 'all' }}>
          {words.showLinks(smartlinkCount, host)}
        </Link>
      </p>
      {isDefault ? <p>{words.defaultText}</p> : null}
      <ErrorLine error={check.error ?? makeDefault.error} />
      {isOwner ? (
        <FormActions>
          <Button isBusy={check.isPending} onClick={() => check.mutate()}>
            {words.check}
          </Button>
          {isDefault || isServed(domain) ? (
            <Button isBusy={makeDefault.isPending} onClick={() => makeDefault.mutate(!isDefault)}>
              {isDefault ? words.unmakeDefault : words.makeDefault}
            </Button>
          ) : null}
        </FormActions>
      ) : null}
    </Section>
  );
}

/** The DNS records to set. */
function Records({ domain: { host, verification } }: DomainProps) {
  const words = useWords();
  const { txtName, txtValue, cnameTarget, pointsHere } = verification;
  return (
    <Section title={words.records}>
      <p className={styles.text}>{words.recordsText}</p>
      <Record
        heading={words.proof}
        text={words.proofText}
        values={[
          { label: words.txtName, text: txtName, copy: words.copyTxtName },
          { label: words.txtValue, text: txtValue, copy: words.copyTxtValue },
        ]}
      />
      <Record
        heading={words.way}
        text={words.wayText(cnameTarget)}
        values={[
          { label: words.cnameName, text: host, copy: words.copyCnameName },
          { label: words.cnameTarget, text: cnameTarget, copy: words.copyCnameTarget },
        ]}
      />
      {pointsHere === false ? <InfoLine icon="alert">{words.elsewhere(host)}</InfoLine> : null}
    </Section>
  );
}

function Record({
  heading,
  text,
  values,
}: {
  readonly heading: string;
  readonly text: string;
  readonly values: readonly { readonly label: string; readonly text: string; readonly copy: string }[];
}) {
  return (
    <div className={styles.record}>
      <h3>{heading}</h3>
      <p className={styles.meaning}>{text}</p>
      {values.map(({ label, text: value, copy }) => (
        <TextField
          key={label}
          label={label}
          value={value}
          readOnly
          onFocus={(event) => event.target.select()}
          action={<CopyButton text={value} label={copy} look="secondary" />}
        />
      ))}
    </div>
  );
}

function Remove({ domain }: DomainProps) {
  const words = useWords();
  const { dialog, open, close } = useDialog();
  return (
    <>
      <FormActions>
        <Button onClick={() => open(<RemoveDialog domain={domain} onClose={close} />)}>
          {words.remove(domain.host)}
        </Button>
      </FormActions>
      {dialog}
    </>
  );
}

function RemoveDialog({ domain: { id, host }, onClose }: DomainProps & { readonly onClose: () => void }) {
  const words = useWords();
  const say = useStatus();
  const navigate = useNavigate();
  const call = useMutation({
    mutationFn: () => api.domains.remove(id),
    onSuccess: async () => {
      await navigate({ to: '/dashboard/settings/domains' });
      await refreshDomains();
      say(words.removed);
    },
  });
  return (
    <ConfirmDialog
      title={words.removeHeading(host)}
      description={words.removeText}
      confirmLabel={words.remove(host)}
      cancelLabel={words.keep}
      isBusy={call.isPending}
      onConfirm={() => call.mutate()}
      onCancel={onClose}
    >
      {hasCode(call.error, 'DOMAIN_IN_USE') ? (
        <ErrorText>
          <span>
            {words.inUse}{' '}
            <Link to={LINKS} search={{ domain: host, status: 'all' }}>
              {words.inUseLinks}
            </Link>
          </span>
        </ErrorText>
      ) : (
        <ErrorLine error={call.error} />
      )}
    </ConfirmDialog>
  );
}
