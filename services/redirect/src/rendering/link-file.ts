import type { Page } from '@smartlink/pages/page';
import type { PageView } from '@smartlink/pages/page-source';
import type { Language } from '@smartlink/pages/words';
import { ERROR_CORRECTIONS } from '@smartlink/qr-code/qr-symbol';
import type { ErrorCorrection } from '@smartlink/qr-code/qr-symbol';
import type { EncodedBody } from '../encoded-reply.js';

/** Pixels a public PNG may be wide: few, so that each can be kept (an owner may ask the API for any size). */
export const QR_SIZES_PX = [256, 512, 1024, 2048] as const;
const QR_SIZE_PX = 1024;
const QR_SVG_SIZE_PX = 512;
const QR_CORRECTION: ErrorCorrection = 'M';

/** What is made of a link for its visitors. */
export type LinkFile =
  | { readonly kind: 'page'; readonly view: PageView }
  /** A snippet's text as it is. */
  | { readonly kind: 'raw' }
  /** A card for address books. */
  | { readonly kind: 'vcard' }
  | QrFile;

export type QrFile = {
  readonly kind: 'qr';
  readonly format: 'svg' | 'png';
  readonly ecc: ErrorCorrection;
  /** An SVG's is what it has where nobody gives it another. */
  readonly sizePx: number;
};

/** The files that visits and addresses name; made once, for a visit makes none. */
export const OWN_PAGE: LinkFile = { kind: 'page', view: 'own' };
export const PASSWORD_PAGE: LinkFile = { kind: 'page', view: 'password' };
export const SHARE_PAGE: LinkFile = { kind: 'page', view: 'share' };
export const PREVIEW_PAGE: LinkFile = { kind: 'page', view: 'preview' };
export const IPAD_OR_MAC_PAGE: LinkFile = { kind: 'page', view: 'ipad-or-mac' };
export const IPAD_OR_MAC_PAGE_OF_SCAN: LinkFile = { kind: 'page', view: 'ipad-or-mac-scan' };
export const RAW_TEXT: LinkFile = { kind: 'raw' };
export const VCARD: LinkFile = { kind: 'vcard' };

/** Returns the QR code that an address asks for; null for a level or a size that there is not. */
export function qrFile(format: 'svg' | 'png', query: string): QrFile | null {
  const parameters = new URLSearchParams(query);
  const level = (parameters.get('ecc') ?? QR_CORRECTION).toUpperCase();
  const ecc = ERROR_CORRECTIONS.find((name) => name === level);
  const size = parameters.get('size') ?? String(QR_SIZE_PX);
  const sizePx = QR_SIZES_PX.find((known) => String(known) === size);
  if (ecc === undefined) return null;
  if (format === 'svg') return { kind: 'qr', format, ecc, sizePx: QR_SVG_SIZE_PX };
  return sizePx === undefined ? null : { kind: 'qr', format, ecc, sizePx };
}

/** Returns the name of a file, another one for each that a link has. */
export function nameOf(file: LinkFile): string {
  if (file.kind === 'page') return file.view;
  return file.kind === 'qr' ? `qr ${file.format} ${file.ecc} ${file.sizePx}` : file.kind;
}

/**
 * Whether a file is another one in each language. Preview agents are many and say no language that means anything, so what
 * is made for them is made once.
 */
export function variesByLanguage(file: LinkFile): boolean {
  return file.kind === 'page' && file.view !== 'share';
}

/** What the rendering thread is asked for. */
export type RenderJob = {
  readonly id: number;
  readonly slug: string;
  /** A PageSource as JSON: one string crosses to the thread faster than the object it stands for. '' for a QR code. */
  readonly source: string;
  readonly file: LinkFile;
  readonly language: Language;
};

/** A file ready to be sent, and what its headers must say of it. */
export type RenderedFile = {
  readonly contentType: string;
  /** In both encodings, or as it is where compression makes it no smaller. Each Buffer fills its memory exactly. */
  readonly body: EncodedBody | { readonly identity: Buffer };
  /** Of the body before encoding and of what the headers say; 22 characters of base64url. */
  readonly hash: string;
  /** Of a page. */
  readonly page: Omit<Page, 'html'> | null;
  /** Content-Disposition, '' for none. */
  readonly disposition: string;
};

/** The thread's answer: a file, none where the link has no such file, or why it could not be made. */
export type RenderResult = { readonly id: number } & (
  { readonly file: RenderedFile | null } | { readonly failure: string }
);
