import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { withTimeLimit } from '@smartlink/process/database';
import { fault } from '../errors.js';
import { tooLarge } from '../plugins/uploads.js';

const PICTURE_BYTES_MAX = 10 * 1024 * 1024;
const FORM = 'multipart/form-data';
// The form is in memory, and takes a tenth of a second. Its parser does not end at a long part without a name.
const FORM_MS_MAX = 3_000;

/** What the route takes; a form has headers around its file. */
export const PICTURE_UPLOAD = {
  types: ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif', FORM],
  bytesMax: PICTURE_BYTES_MAX + 64 * 1024,
};

/**
 * The bytes of an uploaded picture: the body, or the member `file` of a form. Rejects with PAYLOAD_TOO_LARGE, and with
 * VALIDATION_FAILED for a form without a file.
 */
export async function readPicture(request: FastifyRequest): Promise<Buffer> {
  const type = request.headers['content-type'] ?? '';
  const isForm = type.split(';', 1)[0]?.trim().toLowerCase() === FORM;
  const body = await buffer(request.body as AsyncIterable<Buffer>);
  const picture = isForm ? await readForm(body, type) : body;
  if (picture.length > PICTURE_BYTES_MAX) throw tooLarge(PICTURE_BYTES_MAX);
  return picture;
}

async function readForm(body: Buffer, type: string): Promise<Buffer> {
  const form = openForm(type);
  let file: Promise<Buffer> | null = null;
  form.on('file', (name, stream) => {
    // Each file of an incomplete form fails with it.
    stream.on('error', () => undefined);
    if (name === 'file') {
      file = buffer(stream);
      file.catch(() => undefined);
    } else stream.resume();
  });
  form.end(body);
  try {
    await withTimeLimit(FORM_MS_MAX, finished(form));
  } catch {
    throw fault('', 'Must be a complete form');
  }
  if (file === null) throw fault('file', 'Required');
  return file;
}

function openForm(type: string): BusboyInstance {
  const limits = { files: 1, fields: 10, parts: 11, fieldSize: 1_024, headerPairs: 20 };
  try {
    return new Busboy({ headers: { 'content-type': type }, limits });
  } catch {
    throw fault('', 'Must be a form with a boundary');
  }
}
