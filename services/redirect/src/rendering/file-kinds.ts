import { ERROR_CORRECTIONS, type ErrorCorrection } from '@smartlink/pages/qr-code';
import type { Language, Page, PageView } from '@smartlink/pages/site';
import type { EncodedBody } from '../http/reply.js';

/** Sizes of public PNGs in pixels: few, so that each can be cached (the API makes any size for owners). */
export const QR_SIZES_PX = [256, 512, 1024, 2048] as const;
const QR_SIZE_PX = 1024;
const QR_SVG_SIZE_PX = 512;
const QR_CORRECTION: ErrorCorrection = 'M';

/** The files rendered from a link. */
export type LinkFile =
  | { readonly kind: 'page'; readonly view: PageView }
  /** A snippet's plain text. */
  | { readonly kind: 'raw' }
  /** A card for address books. */
  | { readonly kind: 'vcard' }
  | QrFile;

export type QrFile = {
  readonly kind: 'qr';
  readonly format: 'svg' | 'png';
  readonly ecc: ErrorCorrection;
  /** For an SVG its default size. */
  readonly sizePx: number;
};

/** Made once, so that visits make none. */
export const OWN_PAGE: LinkFile = { kind: 'page', view: 'own' };
export const PASSWORD_PAGE: LinkFile = { kind: 'page', view: 'password' };
export const SHARE_PAGE: LinkFile = { kind: 'page', view: 'share' };
export const PREVIEW_PAGE: LinkFile = { kind: 'page', view: 'preview' };
export const IPAD_OR_MAC_PAGE: LinkFile = { kind: 'page', view: 'ipad-or-mac' };
export const IPAD_OR_MAC_PAGE_OF_SCAN: LinkFile = { kind: 'page', view: 'ipad-or-mac-scan' };
export const RAW_TEXT: LinkFile = { kind: 'raw' };
export const VCARD: LinkFile = { kind: 'vcard' };

/** The QR code of an address; null for an unknown level or size. */
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

/** A name unique among the link's files. */
export function nameOf(file: LinkFile): string {
  if (file.kind === 'page') return file.view;
  return file.kind === 'qr' ? `qr ${file.format} ${file.ecc} ${file.sizePx}` : file.kind;
}

/**
 * Whether a file differs by language. Preview agents are many and send no meaningful language, so their page is made
 * once.
 */
export function variesByLanguage(file: LinkFile): boolean {
  return file.kind === 'page' && file.view !== 'share';
}

/** A job of the rendering thread. */
export type RenderJob = {
  readonly id: number;
  readonly slug: string;
  /** Start of the link's address. */
  readonly baseUrl: string;
  /** A PageSource as JSON: a string crosses to the thread faster than an object. '' for a QR code. */
  readonly source: string;
  readonly file: LinkFile;
  readonly language: Language;
};

/** A file ready to be sent, with the values of its headers. */
export type RenderedFile = {
  readonly contentType: string;
  /** In both encodings, or plain where compression does not help. Each Buffer fills its memory exactly. */
  readonly body: EncodedBody | { readonly identity: Buffer };
  /** Hash of the plain body and the headers; 22 characters of base64url. */
  readonly hash: string;
  /** null unless the file is a page. */
  readonly page: Omit<Page, 'html'> | null;
  /** Content-Disposition, '' for none. */
  readonly disposition: string;
};

/** The thread's answer: a file, null if the link has no such file, or the failure. */
export type RenderResult = { readonly id: number } & (
  | { readonly file: RenderedFile | null }
  | { readonly failure: string }
);
