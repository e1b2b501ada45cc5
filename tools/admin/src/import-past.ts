import { z } from 'zod';
import { isObject } from '@smartlink/smartlink/is-object';
import { RESERVED_SLUGS, isSlug, slugKey } from '@smartlink/smartlink/slug';
import { SMARTLINK_TYPES } from '@smartlink/smartlink/smartlink-type';
import type { SmartlinkType } from '@smartlink/smartlink/smartlink-type';
import { check } from '@smartlink/smartlink/validation';
import type { Fault, SmartlinkValidator, Validation } from '@smartlink/smartlink/validation';
import { toParts } from '@smartlink/smartlink-store/document-parts';
import { ALIASES_MAX } from '@smartlink/smartlink-store/slug-queries';
import type { Content } from '@smartlink/smartlink-store/smartlink-row';

const DETAILS_MAX = 1_000;
const TEXT_LENGTH_MAX = 512;
// No link of ours comes near, and so many of them still add up exactly.
const COUNT_MAX = 1_000_000_000_000;

/**
 * A password's hash comes out of a file, and whoever opens the link has it computed: so argon2id alone, and at most about
 * twice the work of ours (password-hash.ts). With less than 8 KiB argon2 computes nothing (RFC 9106, 3.1), and no password
 * would open the link.
 */
const PASSWORD_HASH =
  /^\$argon2id\$v=19\$m=(?:[89]|[1-9]\d{1,3}|[1-3]\d{4}),t=[1-3],p=1\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/;

// Postgres cannot hold a NUL in jsonb.
const detailText = z
  .string()
  .max(TEXT_LENGTH_MAX)
  .refine((text) => !text.includes('\0'), 'Must not contain NUL');

const count = z.int().min(0).max(COUNT_MAX);

export const totalsSchema = z
  .object({ clicks: count, scans: count, fallbacks: count })
  .refine(({ clicks, scans, fallbacks }) => fallbacks <= clicks + scans, 'More fallbacks than visits');

const moment = z.iso.datetime().transform((text) => new Date(text));

/** The member `export` of an item that our own export has written: what no create body says. */
export const pastSchema = z.object({
  version: z.literal(1, 'Written by another version of the export'),
  status: z.enum(['Active', 'Paused']),
  pauseReason: z
    .object({
      code: z.literal('UNSAFE_URL'),
      details: z.array(z.object({ path: detailText, message: detailText })).max(DETAILS_MAX),
    })
    .optional(),
  createdAt: moment,
  updatedAt: moment,
  aliases: z
    .array(z.string().refine((alias) => isSlug(alias) && !RESERVED_SLUGS.has(slugKey(alias)), 'Not possible'))
    .max(ALIASES_MAX),
  totals: totalsSchema,
  passwordHash: z.string().regex(PASSWORD_HASH, 'No hash that is taken here').optional(),
  otherContent: z.partialRecord(z.enum(SMARTLINK_TYPES), z.record(z.string(), z.unknown())).optional(),
});

export type Past = z.output<typeof pastSchema>;

/** Returns what an export says of a smartlink's past, or what is wrong with it. */
export function readPast(more: unknown): Validation<Past> {
  const past = check(pastSchema, more);
  return past.ok ? past : { ok: false, faults: past.faults.map((fault) => within('export', fault)) };
}

/**
 * Returns the content that a smartlink keeps of the types it had before, checked as that of its present one; or what is
 * wrong with it.
 */
export function readOtherContent(
  validator: SmartlinkValidator,
  otherContent: Past['otherContent'] = {},
): Validation<Partial<Record<SmartlinkType, Content>>> {
  const contents: Partial<Record<SmartlinkType, Content>> = {};
  for (const [type, content] of Object.entries(otherContent) as [SmartlinkType, Content][]) {
    const stores = isObject(content.configuration) ? content.configuration : {};
    const configuration = { ...stores, smartlinkName: type, smartlinkType: type, smartlinkUrl: undefined };
    // A password belongs to the smartlink and not to a content; protected content has it there.
    const checked = validator.validate({ ...content, configuration }, { hasStoredPassword: true });
    if (!checked.ok) {
      return {
        ok: false,
        faults: checked.faults.map((fault) => within(`export.otherContent.${type}`, fault)),
      };
    }
    contents[type] = toParts(checked.value).content;
  }
  return { ok: true, value: contents };
}

const within = (name: string, { path, message }: Fault): Fault => ({
  path: path === '' ? name : `${name}.${path}`,
  message,
});
