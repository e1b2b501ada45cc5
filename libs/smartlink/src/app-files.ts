import { z } from 'zod';

// The files by which phones open links in apps. Enough of Apple's and Google's formats to notice a wrong file.

export const appleAppSiteAssociation = z
  .looseObject({
    applinks: z.looseObject({ details: z.array(z.looseObject({})) }).optional(),
    webcredentials: z.looseObject({ apps: z.array(z.string()) }).optional(),
    appclips: z.looseObject({ apps: z.array(z.string()) }).optional(),
  })
  .refine((file) => Boolean(file.applinks ?? file.webcredentials ?? file.appclips));

export const assetLinks = z
  .array(
    z.looseObject({ relation: z.array(z.string()).min(1), target: z.looseObject({ namespace: z.string() }) }),
  )
  .min(1);

export const APPLE_APP_SITE_ASSOCIATION_SHAPE =
  'an object with applinks.details, webcredentials.apps or appclips.apps, each a list';
export const ASSET_LINKS_SHAPE =
  'a list of objects with a list `relation` and a `target` that has a namespace';

const BYTES_MAX = 65_536;

/** The minified text of a file that is given as JSON. */
const fileOf = (content: z.ZodType, shape: string) => (value: unknown, context: z.RefinementCtx) => {
  const checked = content.safeParse(value);
  const text = checked.success ? JSON.stringify(value) : null;
  if (text !== null && Buffer.byteLength(text) <= BYTES_MAX) return text;
  const message = text === null ? `Must be ${shape}` : 'Must be at most 64 KiB';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
};

/** A domain's apple-app-site-association, given as JSON; the minified text. */
export const appleAppSiteAssociationFile = () =>
  z
    .record(z.string(), z.unknown(), `Must be ${APPLE_APP_SITE_ASSOCIATION_SHAPE}`)
    .transform(fileOf(appleAppSiteAssociation, APPLE_APP_SITE_ASSOCIATION_SHAPE));

/** A domain's assetlinks.json, given as JSON; the minified text. */
export const assetLinksFile = () =>
  z.array(z.unknown(), `Must be ${ASSET_LINKS_SHAPE}`).transform(fileOf(assetLinks, ASSET_LINKS_SHAPE));
