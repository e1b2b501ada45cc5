import { useFormContext, useWatch } from 'react-hook-form';
import { optionsOf, PasswordField } from '../../../parts/field.js';
import { useEditor } from '../editor-context.js';
import styles from '../editor.module.css';
import { useFault } from '../form/faults.js';
import { Checkbox, Color, LinkText, LongText, Select, Text } from '../form/fields.js';
import { PictureField } from '../form/picture-field.js';
import { STORE_LINKS, type Values } from '../form/values.js';
import { useWords } from '../words.js';
import { Buttons } from './buttons.js';

export function UrlContent() {
  const words = useWords();
  const isProtected = useWatch<Values, 'shortener.protected'>({ name: 'shortener.protected' });
  return (
    <>
      <LinkText name="shortener.url" label={words.destination} placeholder="https://" />
      <Checkbox name="shortener.protected" label={words.protect} />
      {isProtected ? <Password /> : null}
    </>
  );
}

function Password() {
  const words = useWords();
  const { register } = useFormContext<Values>();
  const { hasPassword } = useEditor();
  const error = useFault('shortener.password');
  return (
    <PasswordField
      id="shortener.password"
      label={words.password}
      description={hasPassword ? words.passwordKept : words.passwordHint}
      autoComplete="new-password"
      error={error}
      {...register('shortener.password')}
    />
  );
}

export function AppContent() {
  const words = useWords();
  return STORE_LINKS.map((name) => (
    <LinkText
      key={name}
      name={`configuration.${name}`}
      label={words.stores[name]}
      description={name === 'fallBackLink' ? words.fallbackHint : undefined}
      placeholder="https://"
    />
  ));
}

export function LandingContent() {
  const words = useWords();
  return (
    <>
      <Text name="landing.title" label={words.title} />
      <LongText name="landing.description" label={words.description} />
      <PictureField name="landing.logoLink" label={words.logo} />
      <Color name="landing.themeColor" label={words.themeColor} />
      <div className={styles.pair}>
        <Select name="landing.layout" label={words.layout} options={optionsOf(words.layouts)} />
        <Select name="landing.theme" label={words.theme} options={optionsOf(words.themes)} />
      </div>
      <Buttons list="landingButtons" />
    </>
  );
}

export function QrTagContent() {
  const words = useWords();
  return (
    <>
      <Text name="qrTag.title" label={words.title} />
      <LongText name="qrTag.description" label={words.description} />
      <PictureField name="qrTag.logoLink" label={words.logo} />
      <Color name="qrTag.themeColor" label={words.themeColor} />
      <Buttons list="qrTagButtons" />
    </>
  );
}

export function CardContent() {
  const words = useWords();
  return (
    <>
      <Text name="digiCard.title" label={words.title} description={words.cardTitleHint} />
      <div className={styles.pair}>
        <Text name="digiCard.jobTitle" label={words.jobTitle} />
        <Text name="digiCard.company" label={words.company} />
      </div>
      <PictureField name="digiCard.logoLink" label={words.logo} />
      <PictureField name="digiCard.bgLink" label={words.backgroundPicture} />
      <Text name="digiCard.ctaText" label={words.saveText} description={words.saveTextHint} />
      <Color name="digiCard.themeColor" label={words.themeColor} />
      <Buttons list="digiCardButtons" />
    </>
  );
}

export function TextContent() {
  const words = useWords();
  return (
    <>
      <Text name="txtBin.title" label={words.title} />
      <LongText name="txtBin.description" label={words.description} />
      <LongText name="txtBin.text" label={words.text} rows={14} spellCheck={false} className={styles.code} />
    </>
  );
}
