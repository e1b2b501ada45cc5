import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { hostOptions, isServed, OWN_HOST } from '../../app/hosts.js';
import { domainsQuery } from '../../app/queries.js';
import type { Option } from '../../parts/field.js';
import { useEditor } from './editor-context.js';
import styles from './editor.module.css';
import { ADDRESS, NAME } from './form/faults.js';
import { Select, Text } from './form/fields.js';
import type { Values } from './form/values.js';
import { useWords } from './words.js';

const DOMAIN = 'configuration.domain';

export function NameAndAddress() {
  const words = useWords();
  const { link } = useEditor();
  const domain = useWatch<Values, typeof DOMAIN>({ name: DOMAIN });
  const hosts = useHosts(domain);
  const host = hosts.find(({ value }) => value === domain)?.label;
  const now = link === undefined ? words.addressHint : words.addressNow(link.relink);
  return (
    <div className={styles.fields}>
      <Text name={NAME} label={words.name} description={words.nameHint} />
      {hosts.length === 0 ? null : (
        <Select
          // A select drops a value that has no option yet.
          key={hosts.map(({ value }) => value).join()}
          name={DOMAIN}
          label={words.domain}
          description={link === undefined ? undefined : words.domainNow(link.relink)}
          options={hosts}
        />
      )}
      <Text
        name={ADDRESS}
        label={words.address}
        // Where the smartlink is now says more than where it stays.
        description={
          host === undefined || (link !== undefined && domain === '') ? now : words.addressOn(host)
        }
        autoCapitalize="none"
        spellCheck={false}
      />
    </div>
  );
}

/**
 * The hosts for the smartlink; none without custom domains. The value of its present one, or of the default for a new one,
 * is empty, unless the form names it.
 */
function useHosts(domain: string): readonly Option[] {
  const { link } = useEditor();
  const { getValues } = useFormContext<Values>();
  // Of a copy.
  const [first] = useState(() => getValues(DOMAIN));
  const domains = useQuery(domainsQuery).data ?? [];
  const present = link?.configuration.domain ?? undefined;
  // The present domain may no longer be served.
  const options = hostOptions(domains.filter((each) => isServed(each) || each.host === present));
  const byDefault = domains.find(({ isDefault }) => isDefault)?.host;
  const standard = (link === undefined ? byDefault : present) ?? OWN_HOST;
  if (standard === first || standard === domain) return options;
  return options.map((option) => (option.value === standard ? { ...option, value: '' } : option));
}
