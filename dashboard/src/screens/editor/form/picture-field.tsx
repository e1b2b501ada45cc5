import type { ComponentProps } from 'react';
import { Text } from './fields.js';

/** The address of a picture. */
export function PictureField(props: ComponentProps<typeof Text>) {
  return <Text type="url" inputMode="url" placeholder="https://" spellCheck={false} {...props} />;
}
