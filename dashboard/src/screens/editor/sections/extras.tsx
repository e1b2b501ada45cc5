import { useQuery } from '@tanstack/react-query';
import { useFormContext } from 'react-hook-form';
import { tagsQuery, utmTemplatesQuery } from '../../../app/queries.js';
import { optionsOf, SelectField } from '../../../parts/field.js';
import styles from '../editor.module.css';
import { LongText, Select, Tags, Text } from '../form/fields.js';
import { PictureField } from '../form/picture-field.js';
import { EMPTY, UTM_MEMBERS, type Values } from '../form/values.js';
import { useWords } from '../words.js';
import { FolderField } from './folder-field.js';

export function Appearance() {
  const words = useWords();
  return (
    <div className={styles.three}>
      <Select
        name="appearance.buttonStyle"
        label={words.buttonStyle}
        options={optionsOf(words.buttonStyles)}
      />
      <Select
        name="appearance.buttonShape"
        label={words.buttonShape}
        options={optionsOf(words.buttonShapes)}
      />
      <Select name="appearance.background" label={words.background} options={optionsOf(words.backgrounds)} />
    </div>
  );
}

/** Share card for messengers and social networks. */
export function Sharing() {
  const words = useWords();
  return (
    <>
      <p className={styles.hint}>{words.sharingHint}</p>
      <Text name="openGraph.title" label={words.shareTitle} />
      <LongText name="openGraph.description" label={words.shareDescription} />
      <PictureField
        name="openGraph.imageUrl"
        label={words.sharePicture}
        description={words.sharePictureHint}
      />
    </>
  );
}

/** Parameters added to the destination. */
export function Campaign() {
  const words = useWords();
  const { setValue } = useFormContext<Values>();
  const templates = useQuery(utmTemplatesQuery);
  return (
    <>
      <p className={styles.hint}>{words.campaignHint}</p>
      {templates.data === undefined || templates.data.length === 0 ? null : (
        <SelectField
          label={words.template}
          value=""
          options={[
            { value: '', label: words.chooseTemplate },
            ...templates.data.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={({ target: { value } }) => {
            const chosen = templates.data.find(({ id }) => id === value);
            if (chosen !== undefined) setValue('utm', { ...EMPTY.utm, ...chosen.utm }, { shouldDirty: true });
          }}
        />
      )}
      <div className={styles.pair}>
        {UTM_MEMBERS.map((name) => (
          <Text key={name} name={`utm.${name}`} label={words.utm[name]} spellCheck={false} />
        ))}
      </div>
    </>
  );
}

/** Status, caching and query of redirects. */
export function Redirects() {
  const words = useWords();
  const byService = { value: '', label: words.byService };
  return (
    <>
      <p className={styles.hint}>{words.redirectHint}</p>
      <div className={styles.three}>
        <Select
          name="redirect.status"
          label={words.redirectStatus}
          options={[byService, ...optionsOf(words.redirectStatuses)]}
        />
        <Text
          name="redirect.cacheSeconds"
          label={words.cacheSeconds}
          description={words.cacheSecondsHint}
          inputMode="numeric"
        />
        <Select
          name="redirect.forwardQuery"
          label={words.forwardQuery}
          options={[byService, ...optionsOf(words.forwardQueries)]}
        />
      </div>
    </>
  );
}

/** Tags, folder and notes. */
export function Filing() {
  const words = useWords();
  const tags = useQuery(tagsQuery);
  return (
    <>
      <p className={styles.hint}>{words.filingHint}</p>
      <Tags suggestions={(tags.data ?? []).map(({ name }) => name)} />
      <FolderField />
      <LongText name="notes" label={words.notes} />
    </>
  );
}
