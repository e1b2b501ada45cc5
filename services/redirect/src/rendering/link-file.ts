import { PAGE_VIEWS } from '@smartlink/pages/page-source';
import type { PageView } from '@smartlink/pages/page-source';
import { ERROR_CORRECTIONS } from '@smartlink/qr-code/qr-symbol';
import type { ErrorCorrection } from '@smartlink/qr-code/qr-symbol';
import type { Language } from '@smartlink/pages/words';

/** Pixels a public PNG may be wide: few, so that each can be kept (an owner may ask the API for any size). */
export const QR_SIZES_PX = [256, 512, 1024, 2048] as const;
export type QrSize = (typeof QR_SIZES_PX)[number];

/** The QR images of a link by format, level of error correction and, for PNG, pixels. */
export type QrFile = `qr-svg-${ErrorCorrection}` | `qr-png-${ErrorCorrection}-${QrSize}`;

/** What is made of a link for its visitors: its pages, a snippet's text as it is, a card for address books, its QR codes. */
export type LinkFile = PageView | 'raw' | 'vcard' | QrFile;

/** Returns the file of a link's QR code, null for a level or a size that there is not. */
export function qrFile(format: 'svg' | 'png', ecc: string, size: string): QrFile | null {
  const level = ERROR_CORRECTIONS.find((name) => name === ecc.toUpperCase());
  if (level === undefined) return null;
  if (format === 'svg') return `qr-svg-${level}`;
  const pixels = QR_SIZES_PX.find((known) => String(known) === size);
  return pixels === undefined ? null : `qr-png-${level}-${pixels}`;
}

/** Whether a file is a QR code, which is made of the slug alone. */
export function isQrFile(file: LinkFile): file is QrFile {
  return file.startsWith('qr-');
}

/** Whether a file holds words of ours, and so is another one in each language. */
export function hasWords(file: LinkFile): boolean {
  return file !== 'share' && (PAGE_VIEWS as readonly string[]).includes(file);
}

/** What the rendering thread is asked for. */
export type RenderJob = {
  readonly id: number;
  readonly slug: string;
  /** A PageSource as JSON: one string crosses to the thread faster than the object it stands for. */
  readonly source: string;
  readonly file: LinkFile;
  readonly language: Language;
};

/** A file ready to be sent, and what its headers must say of it. */
export type RenderedFile = {
  readonly contentType: string;
  /** Null for a file that compression makes no smaller. */
  readonly brotli: Uint8Array | null;
  readonly gzip: Uint8Array | null;
  readonly identity: Uint8Array | null;
  /** Of the body before encoding and of what the headers say; 22 characters of base64url. */
  readonly hash: string;
  /** A page's. */
  readonly page: {
    readonly policy: string;
    readonly language: Language;
    readonly isIndexed: boolean;
  } | null;
  /** Content-Disposition, '' for none. */
  readonly disposition: string;
};

/** The thread's answer: a file, none where the link has no such file, or why it could not be made. */
export type RenderResult = { readonly id: number } & (
  { readonly file: RenderedFile | null } | { readonly failure: string }
);
